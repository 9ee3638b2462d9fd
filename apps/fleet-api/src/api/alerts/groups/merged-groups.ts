import type { DataVersionRow } from '../../data-version/data-version.ts';
import { mergeByKey } from '../../merge-by-key.ts';
import { compareCodePoints } from '../../paging/code-points.ts';
import type { AlertGroupModel } from './alert-groups.models.ts';

/** A group before its key gets the name of the grouping. */
export interface AlertGroup extends Pick<AlertGroupModel, 'count' | 'by_severity' | 'first_at' | 'last_at'> {
  customer_id: number;
  /** Null for the alerts without a host, workspace or GPU. */
  key: string | null;
}

/** The groups of a customer. */
export interface GroupsRow {
  /** The first groups, up to the limit of the statement; all groups if they are merged across customers. */
  groups: AlertGroup[];
  /** Number of all groups and of their alerts, including the groups past the limit. */
  totals: [groups: number, alerts: number];
  data_version: DataVersionRow | null;
}

interface AlertGroups {
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
    a.customer_id - b.customer_id;
  // The text of a day or hour sorts by time.
  const newestFirst = (a: AlertGroup, b: AlertGroup) => byKey(b, a);
  const largestFirst = (a: AlertGroup, b: AlertGroup) => b.count - a.count || byKey(a, b);
  return {
    groups: groups.sort(isByTime ? newestFirst : largestFirst),
    total: rows.reduce((sum, { totals: [, alerts] }) => sum + alerts, 0),
    // Merging makes fewer groups. Without it, `groups` may lack groups past the limit, so the counts of the customers add up.
    groupCount: mergesCustomers ? groups.length : rows.reduce((sum, { totals: [n] }) => sum + n, 0),
  };
}

function addGroups(a: AlertGroup, b: AlertGroup): AlertGroup {
  return {
    ...a,
    count: a.count + b.count,
    by_severity: {
      critical: a.by_severity.critical + b.by_severity.critical,
      high: a.by_severity.high + b.by_severity.high,
      medium: a.by_severity.medium + b.by_severity.medium,
      low: a.by_severity.low + b.by_severity.low,
      info: a.by_severity.info + b.by_severity.info,
    },
    first_at: a.first_at < b.first_at ? a.first_at : b.first_at,
    last_at: a.last_at > b.last_at ? a.last_at : b.last_at,
  };
}
