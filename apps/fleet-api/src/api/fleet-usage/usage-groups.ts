import type { DataVersionRow } from '../data-version/data-version.ts';
import { mergeByKey } from '../merge-by-key.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { rounded } from '../rounded.ts';
import type { UsageGrouping, UsageSort } from './fleet-usage.dto.ts';
import type { UsageModel } from './fleet-usage.models.ts';

/** Fields of `UsageModel`, which add up over GPUs. */
export const USAGE_FIELDS = [
  'gpu_count',
  'busy_gpu_hours',
  'idle_gpu_hours',
  'missing_gpu_hours',
  'unmeasured_gpu_hours',
  'energy_kwh',
] as const satisfies readonly (keyof UsageModel)[];
type UsageField = (typeof USAGE_FIELDS)[number];

/** Fields that groups are sorted by, largest first, null last. The sort `name` has none. */
export const SORT_FIELDS: Partial<Record<UsageSort, UsageField>> = {
  idle: 'idle_gpu_hours',
  busy: 'busy_gpu_hours',
  missing: 'missing_gpu_hours',
  energy: 'energy_kwh',
  gpus: 'gpu_count',
};

/** The usage of a group or of all groups of a customer, not rounded. */
export interface UsageGroup extends UsageModel {
  customer_id: number;
  key: string;
}

/** The usage of a customer. */
export interface UsageRow {
  customer_id: number;
  groups: Omit<UsageGroup, 'customer_id'>[];
  /** Number of all groups, and the usage of all. */
  total: UsageModel & { group_count: number };
  data_version: DataVersionRow | null;
}

interface UsageGroups {
  groups: UsageGroup[];
  /** Usage of all groups, including those that the rows do not contain. */
  total: UsageModel;
  /** Number of all groups. */
  groupCount: number;
}

const NO_USAGE = usageWith((field) => (field === 'energy_kwh' ? null : 0));

function usageWith(valueOf: (field: UsageField) => number | null): UsageModel {
  return Object.fromEntries(USAGE_FIELDS.map((field) => [field, valueOf(field)])) as unknown as UsageModel;
}

function addUsage(a: UsageModel, b: UsageModel): UsageModel {
  return usageWith((field) =>
    a[field] === null && b[field] === null ? null : (a[field] ?? 0) + (b[field] ?? 0),
  );
}

/** Returns the usage with four decimals. */
export function roundedUsage(usage: UsageModel): UsageModel {
  return usageWith((field) => {
    const value = usage[field];
    return value === null ? null : rounded(value, 4);
  });
}

/**
 * Merges the groups of several customers, sorted like `ORDER_BY` of the statement. Groups of the same model are added up; a
 * workspace or host belongs to one customer.
 *
 * @param rows of a grouping by model with all groups, so that their number is known after the merge
 */
export function mergedUsage(rows: readonly UsageRow[], groupBy: UsageGrouping, sort: UsageSort): UsageGroups {
  const all = rows.flatMap(({ customer_id, groups }) => groups.map((group) => ({ ...group, customer_id })));
  const addGroups = (a: UsageGroup, b: UsageGroup) => ({ ...a, ...addUsage(a, b) });
  const groups = groupBy === 'model' ? mergeByKey(all, ({ key }) => key, addGroups) : all;
  const sortField = SORT_FIELDS[sort];
  const sortValue = (group: UsageGroup) => (sortField === undefined ? null : group[sortField]);
  const byKey = (a: UsageGroup, b: UsageGroup) =>
    (groupBy === 'workspace' ? Number(a.key) - Number(b.key) : compareCodePoints(a.key, b.key)) ||
    a.customer_id - b.customer_id;
  const totals = rows.map(({ total }) => total);
  return {
    groups: groups.sort((a, b) => compareValues(sortValue(a), sortValue(b)) || byKey(a, b)),
    total: totals.reduce(addUsage, NO_USAGE),
    groupCount:
      groupBy === 'model' ? groups.length : totals.reduce((sum, { group_count }) => sum + group_count, 0),
  };
}

/** Sorts descending, null last. */
function compareValues(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}
