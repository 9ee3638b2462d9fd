import { DAY_MS } from '@gpu-observatory/domain-types';
import { dayStart } from '../metrics/time-grains.ts';
import type { TimeWindow } from '../time-window.ts';
import { HALF_HOUR_MS, HALF_HOURS_PER_DAY, MAX_SERIES_BUCKETS } from './format.ts';
import {
  daysSql,
  differenceSql,
  END_HALF_HOUR,
  meanSql,
  reportedSql,
  SKIPPED_HALF_HOURS,
} from './half-hour-range.sql.ts';
import { WIDE_BUCKETS } from './wide-buckets.sql.ts';

/** Forms of `utilization_series`. */
export const SERIES = [
  /** Not read. */
  'none',
  /** One bucket per half hour. */
  'halfHours',
  /** The same, but the first bucket has two half hours: 24 hours touch 49 of them, one more than `MAX_SERIES_BUCKETS`. */
  'halfHoursWithDoubleFirst',
  /** `MAX_SERIES_BUCKETS` buckets of more than a half hour. */
  'wide',
] as const;
export type Series = (typeof SERIES)[number];

/** Returns the form for the length of a window. */
export function seriesOf({ fromMs, toMs }: TimeWindow): Exclude<Series, 'none'> {
  const halfHours = (toMs - fromMs) / HALF_HOUR_MS;
  if (halfHours <= MAX_SERIES_BUCKETS) return 'halfHours';
  return halfHours === MAX_SERIES_BUCKETS + 1 ? 'halfHoursWithDoubleFirst' : 'wide';
}

/** Parameters of `TELEMETRY`. */
export interface TelemetryParameters {
  firstDay: Date;
  lastDay: Date;
  /** Number of half hours of the first day before the window, 0 to 47. */
  skippedOnFirstDay: number;
  /** Number of the last half hour in the window on the last day, 1 to 48. */
  endOnLastDay: number;
  /** For `halfHoursWithDoubleFirst`: number of the last half hour of the first bucket on the first day, 2 to 48. */
  firstBucketEndOnFirstDay: number;
  /** The same on the second day: 1 if the window starts with the last half hour of the first day, otherwise 0. */
  firstBucketEndOnSecondDay: number;
  /** Number of half hours of the window. */
  halfHours: number;
  /** Start of the window, in s since the epoch. */
  fromSeconds: number;
}

/** Returns the parameters for a window. One of 49 half hours touches two days, and its first bucket ends on either. */
export function telemetryParameters({ fromMs, toMs }: TimeWindow): TelemetryParameters {
  const [first, last] = [positionInDay(fromMs), positionInDay(toMs - HALF_HOUR_MS)];
  const firstBucketEnd = first.halfHour + 2;
  return {
    firstDay: new Date(first.dayMs),
    lastDay: new Date(last.dayMs),
    skippedOnFirstDay: first.halfHour,
    endOnLastDay: last.halfHour + 1,
    firstBucketEndOnFirstDay: Math.min(firstBucketEnd, HALF_HOURS_PER_DAY),
    firstBucketEndOnSecondDay: Math.max(firstBucketEnd - HALF_HOURS_PER_DAY, 0),
    halfHours: (toMs - fromMs) / HALF_HOUR_MS,
    fromSeconds: fromMs / 1_000,
  };
}

/** Returns the day of a time, and the number of its half hour, from 0. */
function positionInDay(atMs: number): { dayMs: number; halfHour: number } {
  return { dayMs: dayStart(atMs), halfHour: (atMs % DAY_MS) / HALF_HOUR_MS };
}

const MEANS = `${meanSql('utilization', SKIPPED_HALF_HOURS, END_HALF_HOUR)}::text AS utilization_pct,
    ${meanSql('temperature', SKIPPED_HALF_HOURS, END_HALF_HOUR)}::text AS temperature_c,
    bool_or(${reportedSql(SKIPPED_HALF_HOURS, END_HALF_HOUR)}) AS xid_reported`;

/**
 * Returns SQL of the series with one bucket per half hour after the skipped ones. `utilization_series` of a day has the means of its
 * half hours with samples, each followed by a comma. Element n of `utilization_series_ends` is its length after n half hours, in bytes.
 * The series is cut at these offsets, and those of the days are concatenated.
 */
function halfHoursSql(skipped: string): string {
  const start = `1 + coalesce(d.utilization_series_ends[${skipped}], 0)`;
  const length = differenceSql('utilization_series_ends', skipped, END_HALF_HOUR);
  return `convert_from(rtrim(string_agg(
      substr(d.utilization_series, ${start}, ${length}),
      '' ORDER BY d.day), ','::bytea), 'UTF8')`;
}

/** Number of the last half hour of the first bucket on day `d`; 0 if the bucket ends before. */
const FIRST_BUCKET_END =
  'CASE WHEN d.day = :firstDay::timestamptz THEN :firstBucketEndOnFirstDay::integer ELSE :firstBucketEndOnSecondDay::integer END';
const HALF_HOURS_WITH_DOUBLE_FIRST = `concat_ws(',', ${meanSql('utilization', SKIPPED_HALF_HOURS, FIRST_BUCKET_END)}, nullif(${halfHoursSql(FIRST_BUCKET_END)}, ''))`;

/**
 * Subselects of the telemetry of the GPU `g` of `:customer` within a window: `utilization_pct` and `temperature_c` as text
 * with two decimals, `xid_reported`, and `utilization_series`, the means of the buckets that have samples, separated by
 * commas. Where `skipped` is `SKIPPED_HALF_HOURS` and `end` is `END_HALF_HOUR`, `none` is, without rounding and nulls:
 *
 *     SELECT sum(d.utilization_sums[end] - d.utilization_sums[skipped])
 *         / sum(d.utilization_counts[end] - d.utilization_counts[skipped]) AS utilization_pct,
 *       (the same of the temperature) AS temperature_c,
 *       bool_or((d.xid_reported >> skipped) & ((1::bigint << end - skipped) - 1) <> 0) AS xid_reported, NULL AS utilization_series
 *     FROM fleet.gpu_day_sums d
 *     WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id AND d.day >= :firstDay AND d.day <= :lastDay
 */
export const TELEMETRY: Record<Series, string> = {
  none: `SELECT ${MEANS}, NULL AS utilization_series ${daysSql()}`,
  halfHours: `SELECT ${MEANS}, ${halfHoursSql(SKIPPED_HALF_HOURS)} AS utilization_series ${daysSql()}`,
  halfHoursWithDoubleFirst: `SELECT ${MEANS}, ${HALF_HOURS_WITH_DOUBLE_FIRST} AS utilization_series ${daysSql()}`,
  wide: WIDE_BUCKETS,
};
