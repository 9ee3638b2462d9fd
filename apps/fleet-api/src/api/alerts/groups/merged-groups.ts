import type { DataVersionRow } from '../../data-version/data-version.ts';
import { mergeByKey } from '../../merge-by-key.ts';
import { compareCodePoints } from '../../paging/code-points.ts';

export interface AlertGroup {
  customerId: number;
  /** Null for the alerts without a host, workspace or GPU. */
  key: string | null;
  /** Number of alerts by the rank of the severity. */
  counts: number[];
  /** Creation time of the first alert, in ms since the epoch. */
  firstMs: number;
  /** Creation time of the last alert, in ms since the epoch. */
  lastMs: number;
}

/** The groups of a customer. */
export interface GroupsRow {
  /** The first groups, up to the limit of the statement; all groups if they are merged across customers. */
  groups: AlertGroup[];
  /** Number of all groups and of their alerts, including the groups past the limit. */
  totals: [groups: number, alerts: number];
  data_version: DataVersionRow | null;
}

export interface AlertGroups {
  groups: AlertGroup[];
  /** Number of alerts in all groups. */
  total: number;
  /** Number of all groups. */
  groupCount: number;
}

/**
 * Merges and sorts the groups of several customers: most alerts first, then by key, null last.
 *
 * @param mergesCustomers whether groups of different customers with the same key, such as a type or day, form one group
 * @param isByTime whether the key is a day or an hour; then the groups are sorted newest first
 */
export function mergeGroups(
  rows: readonly GroupsRow[],
  { mergesCustomers, isByTime }: { mergesCustomers: boolean; isByTime: boolean },
): AlertGroups {
  const all = rows.flatMap((row) => row.groups);
  const groups = mergesCustomers ? mergeByKey(all, ({ key }) => key, addGroups) : all;
  const byKey = (a: AlertGroup, b: AlertGroup) =>
    Number(a.key === null) - Number(b.key === null) ||
    compareCodePoints(a.key ?? '', b.key ?? '') ||
    a.customerId - b.customerId;
  // The text of a day or hour sorts by time.
  const newestFirst = (a: AlertGroup, b: AlertGroup) => byKey(b, a);
  const largestFirst = (a: AlertGroup, b: AlertGroup) => alertCount(b) - alertCount(a) || byKey(a, b);
  return {
    groups: groups.sort(isByTime ? newestFirst : largestFirst),
    total: rows.reduce((sum, { totals: [, alerts] }) => sum + alerts, 0),
    // Merging makes fewer groups. Without it, `groups` may lack groups past the limit, so the counts of the customers add up.
    groupCount: mergesCustomers ? groups.length : rows.reduce((sum, { totals: [n] }) => sum + n, 0),
  };
}

/** Returns the number of alerts of a group. */
export function alertCount({ counts }: AlertGroup): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

function addGroups(a: AlertGroup, b: AlertGroup): AlertGroup {
  return {
    ...a,
    counts: a.counts.map((n, rank) => n + (b.counts[rank] as number)),
    firstMs: Math.min(a.firstMs, b.firstMs),
    lastMs: Math.max(a.lastMs, b.lastMs),
  };
}
