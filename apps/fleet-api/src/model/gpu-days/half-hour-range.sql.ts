import { HALF_HOURS_PER_DAY } from './format.ts';

// Expressions on the days `d` of `fleet.gpu_day_sums` (README.md). A range of half hours of a day is given by the number of half hours
// before it and the number of its last one, from 1: its sum is the difference of two running sums.

/** Number of half hours of a day before the window. */
export const SKIPPED_HALF_HOURS =
  'CASE WHEN d.day = :firstDay::timestamptz THEN :skippedOnFirstDay::integer ELSE 0 END';
/** Number of the last half hour of a day in the window. */
export const END_HALF_HOUR = `CASE WHEN d.day = :lastDay::timestamptz THEN :endOnLastDay::integer ELSE ${HALF_HOURS_PER_DAY} END`;

/** Returns the FROM and WHERE clause of the days of the GPU `g` in the window. @param join clause that is joined to each day */
export const daysSql = (join = '') => `FROM fleet.gpu_day_sums d ${join}
      WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id
        AND d.day >= :firstDay::timestamptz AND d.day <= :lastDay::timestamptz`;

/** Readings with running sums. */
export type Measured = 'utilization' | 'temperature';

/** Returns the mean of a reading over a range of each day. @param skipped, end SQL of the range */
export function meanSql(reading: Measured, skipped: string, end: string): string {
  const sum = differenceSql(`${reading}_sums`, skipped, end);
  const count = differenceSql(`${reading}_counts`, skipped, end);
  return twoDecimals(`sum(${sum}) / nullif(sum(${count}), 0)`);
}

/** Returns the sum over a range. @param sums column of running sums */
export function differenceSql(sums: string, skipped: string, end: string): string {
  return `d.${sums}[${end}] - coalesce(d.${sums}[${skipped}], 0)`;
}

/** Returns the predicate that XIDs were reported in a range: one of its bits is set. */
export function reportedSql(skipped: string, end: string): string {
  return `(d.xid_reported >> ${skipped}) & ((1::bigint << (${end}) - (${skipped})) - 1) <> 0`;
}

/** Rounds to two decimals in floating point, because `numeric` takes several times as long. Adding 0 changes -0 to 0. */
export function twoDecimals(value: string): string {
  return `(round(${value} * 100) / 100 + 0)`;
}
