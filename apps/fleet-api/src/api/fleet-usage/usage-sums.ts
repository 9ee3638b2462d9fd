import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import type { DataVersionRow } from '../data-version/data-version.ts';
import { mergeByKey } from '../merge-by-key.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import type { UsageGrouping, UsageSort } from './fleet-usage.dto.ts';
import type { UsageModel } from './fleet-usage.models.ts';

/** Sums over the GPUs of a group. */
export const USAGE_SUMS = [
  /** Number of GPUs. */
  'gpus',
  /** Half hours of the window since the GPUs were first seen. */
  'expected',
  /** Half hours with samples. */
  'sampled',
  /** Half hours with readings of the utilization. */
  'utilization',
  /** Sum of the mean utilization of half hours, where 1 is 100 %. */
  'busy',
  /** Half hours with readings of the power draw. */
  'power',
  /** Sum of the mean power draw of half hours in W. */
  'watts',
] as const;
export type UsageSums = Record<(typeof USAGE_SUMS)[number], number>;

/** The sums of a customer, in the order of `USAGE_SUMS`. */
export interface UsageRow {
  customerId: number;
  groups: [key: string, ...sums: number[]][];
  /** Number of all groups, and the sums over them. */
  totals: [groups: number, ...sums: number[]];
  data_version: DataVersionRow | null;
}

export interface UsageGroup {
  customerId: number;
  key: string;
  sums: UsageSums;
}

export interface UsageGroups {
  groups: UsageGroup[];
  /** Sums over all groups, including those that the rows do not contain. */
  total: UsageSums;
  /** Number of all groups. */
  groupCount: number;
}

/** Returns an object with a value for each sum. @param valueOf receives the name of a sum and its index in `USAGE_SUMS` */
const sumsWith = (valueOf: (name: keyof UsageSums, n: number) => number) =>
  Object.fromEntries(USAGE_SUMS.map((name, n) => [name, valueOf(name, n)])) as UsageSums;
const toSums = (values: readonly number[]) => sumsWith((_name, n) => values[n] as number);
const addSums = (a: UsageSums, b: UsageSums) => sumsWith((name) => a[name] + b[name]);

/**
 * Merges the groups of several customers in the order of the statement. Groups of the same model are added up; a workspace or host
 * belongs to one customer.
 */
export function mergedUsage(rows: readonly UsageRow[], groupBy: UsageGrouping, sort: UsageSort): UsageGroups {
  const all = rows.flatMap(({ customerId, groups }) =>
    groups.map(([key, ...values]): UsageGroup => ({ customerId, key, sums: toSums(values) })),
  );
  const addGroups = (a: UsageGroup, b: UsageGroup) => ({ ...a, sums: addSums(a.sums, b.sums) });
  const groups = groupBy === 'model' ? mergeByKey(all, ({ key }) => key, addGroups) : all;
  const byKey = (a: UsageGroup, b: UsageGroup) =>
    (groupBy === 'workspace' ? Number(a.key) - Number(b.key) : compareCodePoints(a.key, b.key)) ||
    a.customerId - b.customerId;
  const valueOf = ({ sums }: UsageGroup) => SORT_VALUES[sort](sums);
  const zero = sumsWith(() => 0);
  const totals = rows.map(({ totals: [count, ...values] }) => ({ count, sums: toSums(values) }));
  return {
    groups: groups.sort((a, b) => compareValues(valueOf(a), valueOf(b)) || byKey(a, b)),
    total: totals.reduce((total, { sums }) => addSums(total, sums), zero),
    groupCount: groupBy === 'model' ? groups.length : totals.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Values that groups are sorted by, largest first, null last. The statement sorts by the same values (`ORDER_BY`). */
const SORT_VALUES: Record<UsageSort, (sums: UsageSums) => number | null> = {
  idle: ({ utilization, busy }) => utilization - busy,
  busy: ({ busy }) => busy,
  missing: ({ expected, sampled }) => expected - sampled,
  energy: ({ power, watts }) => (power > 0 ? watts : null),
  gpus: ({ gpus }) => gpus,
  name: () => null,
};

/** Sorts descending, null last. */
function compareValues(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

const HOURS_PER_HALF_HOUR = HALF_HOUR_MS / HOUR_MS;
const WATTS_PER_KILOWATT = 1_000;

export function toUsage(sums: UsageSums): UsageModel {
  const { gpus, expected, sampled, utilization, busy, power, watts } = sums;
  const hours = (halfHours: number) => rounded(halfHours * HOURS_PER_HALF_HOUR);
  return {
    gpu_count: gpus,
    busy_gpu_hours: hours(busy),
    idle_gpu_hours: hours(utilization - busy),
    missing_gpu_hours: hours(expected - sampled),
    unmeasured_gpu_hours: hours(sampled - utilization),
    energy_kwh: power > 0 ? rounded((watts * HOURS_PER_HALF_HOUR) / WATTS_PER_KILOWATT) : null,
  };
}

/** Rounds to four decimals. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
