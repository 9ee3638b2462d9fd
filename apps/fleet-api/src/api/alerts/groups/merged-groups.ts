import type { DataVersionRow } from '../../data-version/data-version.ts';
import { mergeByKey } from '../../merge-by-key.ts';
import { compareCodePoints } from '../../paging/code-points.ts';

/** `counts` has the number of alerts of each severity, by rank. */
type GroupRow = [
  key: string | null,
  ...counts: [number, number, number, number, number],
  firstMs: number,
  lastMs: number,
];

/** The groups of a customer. */
export interface GroupsRow {
  customerId: number;
  /** The first groups of the statement. */
  groups: GroupRow[];
  /** Number of all groups and of their alerts, including the groups that are not in `groups`. */
  totals: [groups: number, alerts: number];
  data_version: DataVersionRow | null;
}

export interface AlertGroup {
  customerId: number;
  /** Null for the alerts without a host, workspace or GPU. */
  key: string | null;
  /** Number of alerts by the rank of the severity. */
  counts: number[];
  firstMs: number;
  lastMs: number;
}

export interface AlertGroups {
  groups: AlertGroup[];
  /** Number of alerts in all groups. */
  total: number;
  /** Number of all groups. */
  groupCount: number;
}

/**
 * Merges the groups of several customers. They are sorted by the number of alerts, largest first, then by key, null last.
 *
 * @param isShared whether groups of several customers with the same key are one group
 * @param isByTime whether the key is a day or an hour; then the groups are sorted newest first
 */
export function mergedGroups(
  rows: readonly GroupsRow[],
  { isShared, isByTime }: { isShared: boolean; isByTime: boolean },
): AlertGroups {
  const all = rows.flatMap(({ customerId, groups }) => groups.map((row) => toGroup(customerId, row)));
  const groups = isShared && rows.length > 1 ? mergeByKey(all, ({ key }) => key, sumOf) : all;
  const byKey = (a: AlertGroup, b: AlertGroup) =>
    Number(a.key === null) - Number(b.key === null) ||
    compareCodePoints(a.key ?? '', b.key ?? '') ||
    a.customerId - b.customerId;
  const byCount = (a: AlertGroup, b: AlertGroup) => countOf(b) - countOf(a) || byKey(a, b);
  return {
    groups: groups.sort(isByTime ? (a, b) => byKey(b, a) : byCount),
    total: rows.reduce((sum, { totals: [, alerts] }) => sum + alerts, 0),
    groupCount: isShared ? groups.length : rows.reduce((sum, { totals: [n] }) => sum + n, 0),
  };
}

function toGroup(customerId: number, [key, ...numbers]: GroupRow): AlertGroup {
  const [firstMs, lastMs] = numbers.slice(-2) as [number, number];
  return { customerId, key, counts: numbers.slice(0, -2), firstMs, lastMs };
}

function countOf({ counts }: AlertGroup): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

function sumOf(a: AlertGroup, b: AlertGroup): AlertGroup {
  return {
    ...a,
    counts: a.counts.map((n, rank) => n + (b.counts[rank] as number)),
    firstMs: Math.min(a.firstMs, b.firstMs),
    lastMs: Math.max(a.lastMs, b.lastMs),
  };
}
