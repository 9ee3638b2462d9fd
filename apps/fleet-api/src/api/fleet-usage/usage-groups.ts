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
  'expected_half_hours',
  /** Half hours with samples. */
  'sampled_half_hours',
  /** Half hours with readings of the utilization. */
  'utilization_half_hours',
  /** Sum of the mean utilization of half hours, where 1 is 100 %. */
  'busy_half_hours',
  /** Half hours with readings of the power draw. */
  'power_half_hours',
  /** Sum of the mean power draw of half hours in W. */
  'watt_half_hours',
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

/** @param valueOf receives the name of a sum and its index in `USAGE_SUMS` */
function sumsWith(valueOf: (name: keyof UsageSums, index: number) => number): UsageSums {
  return Object.fromEntries(USAGE_SUMS.map((name, index) => [name, valueOf(name, index)])) as UsageSums;
}

/** @param values in the order of `USAGE_SUMS` */
function toSums(values: readonly number[]): UsageSums {
  return sumsWith((_name, index) => values[index] as number);
}

function addSums(a: UsageSums, b: UsageSums): UsageSums {
  return sumsWith((name) => a[name] + b[name]);
}

/**
 * Merges the groups of several customers, sorted like `ORDER_BY` of the statement. Groups of the same model are added up; a
 * workspace or host belongs to one customer.
 *
 * @param rows of a grouping by model with all groups, so that their number is known after the merge
 */
export function mergedUsage(rows: readonly UsageRow[], groupBy: UsageGrouping, sort: UsageSort): UsageGroups {
  const all = rows.flatMap(({ customerId, groups }) =>
    groups.map(([key, ...values]): UsageGroup => ({ customerId, key, sums: toSums(values) })),
  );
  const addGroups = (a: UsageGroup, b: UsageGroup) => ({ ...a, sums: addSums(a.sums, b.sums) });
  const groups = groupBy === 'model' ? mergeByKey(all, ({ key }) => key, addGroups) : all;
  const sortValue = ({ sums }: UsageGroup) => SORT_VALUES[sort](sums);
  const byKey = (a: UsageGroup, b: UsageGroup) =>
    (groupBy === 'workspace' ? Number(a.key) - Number(b.key) : compareCodePoints(a.key, b.key)) ||
    a.customerId - b.customerId;
  const totalsOfCustomers = rows.map(({ totals: [groupCount, ...values] }) => ({
    groupCount,
    sums: toSums(values),
  }));
  return {
    groups: groups.sort((a, b) => compareValues(sortValue(a), sortValue(b)) || byKey(a, b)),
    total: totalsOfCustomers
      .map(({ sums }) => sums)
      .reduce(
        addSums,
        sumsWith(() => 0),
      ),
    groupCount:
      groupBy === 'model'
        ? groups.length
        : totalsOfCustomers.reduce((sum, { groupCount }) => sum + groupCount, 0),
  };
}

/** Values that groups are sorted by, largest first, null last. The statement sorts by the same values (`ORDER_BY`). */
const SORT_VALUES: Record<UsageSort, (sums: UsageSums) => number | null> = {
  idle: idleHalfHours,
  busy: (sums) => sums.busy_half_hours,
  missing: missingHalfHours,
  energy: (sums) => (sums.power_half_hours > 0 ? sums.watt_half_hours : null),
  gpus: (sums) => sums.gpus,
  name: () => null,
};

function idleHalfHours(sums: UsageSums): number {
  return sums.utilization_half_hours - sums.busy_half_hours;
}

function missingHalfHours(sums: UsageSums): number {
  return sums.expected_half_hours - sums.sampled_half_hours;
}

/** Sorts descending, null last. */
function compareValues(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

const HOURS_PER_HALF_HOUR = HALF_HOUR_MS / HOUR_MS;
const WATTS_PER_KILOWATT = 1_000;

export function toUsage(sums: UsageSums): UsageModel {
  const hours = (halfHours: number) => rounded(halfHours * HOURS_PER_HALF_HOUR);
  const wattHours = sums.watt_half_hours * HOURS_PER_HALF_HOUR;
  return {
    gpu_count: sums.gpus,
    busy_gpu_hours: hours(sums.busy_half_hours),
    idle_gpu_hours: hours(idleHalfHours(sums)),
    missing_gpu_hours: hours(missingHalfHours(sums)),
    unmeasured_gpu_hours: hours(sums.sampled_half_hours - sums.utilization_half_hours),
    energy_kwh: sums.power_half_hours > 0 ? rounded(wattHours / WATTS_PER_KILOWATT) : null,
  };
}

/** Rounds to four decimals. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
