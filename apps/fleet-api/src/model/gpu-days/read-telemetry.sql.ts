import { DAY_MS } from '@gpu-observatory/domain-types';
import { dayStart } from '../metrics/time-grains.ts';
import { HALF_HOUR_MS, HALF_HOURS_PER_DAY, MAX_SERIES_BUCKETS } from './format.ts';

/** A window aligned to half hours, in ms since the epoch; `toMs` is exclusive. */
interface Window {
  fromMs: number;
  toMs: number;
}

/**
 * How `utilization_series` is read: not at all; one bucket per half hour; the same, but the first bucket has two half hours,
 * since the last 24 hours touch 49, one more than the limit; or 48 wider buckets.
 */
export const SERIES = ['none', 'halfHours', 'firstOfTwo', 'wide'] as const;
export type Series = (typeof SERIES)[number];

export function seriesOf({ fromMs, toMs }: Window): Exclude<Series, 'none'> {
  const halfHours = (toMs - fromMs) / HALF_HOUR_MS;
  if (halfHours <= MAX_SERIES_BUCKETS) return 'halfHours';
  return halfHours === MAX_SERIES_BUCKETS + 1 ? 'firstOfTwo' : 'wide';
}

/** Parameters of `TELEMETRY`. */
export interface TelemetryParameters {
  firstDay: Date;
  lastDay: Date;
  /** Half hours of the first day before the window. */
  first: number;
  /** Half hours of the last day until the end of the window. */
  last: number;
  /** The end of a first bucket of two half hours: on the first day, and on the next one. */
  secondOnFirstDay: number;
  secondOnNextDay: number;
  halfHours: number;
  fromSeconds: number;
}

export function telemetryParameters({ fromMs, toMs }: Window): TelemetryParameters {
  const [from, to] = [positionInDay(fromMs), positionInDay(toMs - HALF_HOUR_MS)];
  const second = from.halfHour + 2;
  return {
    firstDay: new Date(from.dayMs),
    lastDay: new Date(to.dayMs),
    first: from.halfHour,
    last: to.halfHour + 1,
    secondOnFirstDay: Math.min(second, HALF_HOURS_PER_DAY),
    secondOnNextDay: Math.max(second - HALF_HOURS_PER_DAY, 0),
    halfHours: (toMs - fromMs) / HALF_HOUR_MS,
    fromSeconds: fromMs / 1_000,
  };
}

function positionInDay(atMs: number): { dayMs: number; halfHour: number } {
  return { dayMs: dayStart(atMs), halfHour: (atMs % DAY_MS) / HALF_HOUR_MS };
}

const IS_FIRST_DAY = 'd.day = :firstDay::timestamptz';
/** Half hours of the day before the window, and until its end: the window has numbers FIRST + 1 to LAST. */
const FIRST = `CASE WHEN ${IS_FIRST_DAY} THEN :first::integer ELSE 0 END`;
const LAST = `CASE WHEN d.day = :lastDay::timestamptz THEN :last::integer ELSE ${HALF_HOURS_PER_DAY} END`;

/** @param join joined to each day */
const daysSql = (join = '') => `FROM fleet.gpu_day_sums d ${join}
      WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id
        AND d.day >= :firstDay::timestamptz AND d.day <= :lastDay::timestamptz`;

type Measured = 'utilization' | 'temperature';

function meanSql(name: Measured, first: string, last: string): string {
  return twoDecimals(
    `sum(${differenceSql(`${name}_sums`, first, last)}) / nullif(sum(${differenceSql(`${name}_counts`, first, last)}), 0)`,
  );
}

/** Returns the sum over the half hours first + 1 to last of a day. */
function differenceSql(sums: string, first: string, last: string): string {
  return `d.${sums}[${last}] - coalesce(d.${sums}[${first}], 0)`;
}

/** Returns whether XIDs were reported in one of the half hours first + 1 to last. */
function reportedSql(first: string, last: string): string {
  return `(d.xid_reported >> ${first}) & ((1::bigint << (${last}) - (${first})) - 1) <> 0`;
}

/** Rounds in floating point: `numeric` takes several times as long. Adding 0 turns -0 into 0. */
function twoDecimals(value: string): string {
  return `(round(${value} * 100) / 100 + 0)`;
}

const MEANS = `${meanSql('utilization', FIRST, LAST)}::text AS utilization_pct,
    ${meanSql('temperature', FIRST, LAST)}::text AS temperature_c,
    bool_or(${reportedSql(FIRST, LAST)}) AS xid_reported`;

/** Returns the series with one bucket per half hour after `first`: the texts of the days, cut to the window. */
function halfHoursSql(first: string): string {
  return `convert_from(rtrim(string_agg(
      substr(d.utilization_series, 1 + coalesce(d.utilization_series_ends[${first}], 0), ${differenceSql('utilization_series_ends', first, LAST)}),
      '' ORDER BY d.day), ','::bytea), 'UTF8')`;
}

const SECOND = `CASE WHEN ${IS_FIRST_DAY} THEN :secondOnFirstDay::integer ELSE :secondOnNextDay::integer END`;
const FIRST_OF_TWO = `concat_ws(',', ${meanSql('utilization', FIRST, SECOND)}, nullif(${halfHoursSql(SECOND)}, ''))`;

/** Returns means and series of a window with wider buckets: each bucket adds up the days that it touches. */
function wideBucketsSql(): string {
  const all = ':halfHours::bigint';
  // Half hours are numbered from the start of the window. Number n is in bucket n * buckets / all, rounded down.
  const dayBegins = `((date_part('epoch', d.day) - :fromSeconds::float8) / ${HALF_HOUR_MS / 1_000})::bigint`;
  const bucketOf = (number: string) => `(${number}) * ${MAX_SERIES_BUCKETS} / ${all}`;
  const beginOf = (bucket: string) =>
    `((${bucket}) * ${all} + ${MAX_SERIES_BUCKETS - 1}) / ${MAX_SERIES_BUCKETS}`;
  const sums = (['utilization', 'temperature'] as const).flatMap((name) =>
    Object.entries({ sum: 'sums', n: 'counts' }).map(
      ([alias, column]) =>
        `sum(${differenceSql(`${name}_${column}`, 'p.first', 'p.last')}) AS ${name}_${alias}`,
    ),
  );
  const mean = (name: Measured) => twoDecimals(`sum(b.${name}_sum) / nullif(sum(b.${name}_n), 0)`);
  return `SELECT ${mean('utilization')}::text AS utilization_pct, ${mean('temperature')}::text AS temperature_c,
      bool_or(b.xid_reported) AS xid_reported,
      string_agg(${twoDecimals('b.utilization_sum / b.utilization_n')}::text, ',' ORDER BY b.bucket)
        FILTER (WHERE b.utilization_n > 0) AS utilization_series
    FROM (
      SELECT p.bucket, ${sums.join(', ')}, bool_or(${reportedSql('p.first', 'p.last')}) AS xid_reported
      ${daysSql(`CROSS JOIN LATERAL (
        SELECT k AS bucket, greatest(${FIRST}, ${beginOf('k')} - ${dayBegins})::integer AS first,
          least(${LAST}, ${beginOf('k + 1')} - ${dayBegins})::integer AS last
        FROM generate_series(${bucketOf(`${dayBegins} + ${FIRST}`)}, ${bucketOf(`${dayBegins} + ${LAST} - 1`)}) AS k
      ) AS p`)}
      GROUP BY p.bucket
    ) AS b`;
}

/**
 * Subselects of the telemetry of the GPU `g` of `:customer` within a window: `utilization_pct` and `temperature_c` as text
 * with two decimals, `xid_reported`, and `utilization_series`, the means of the buckets that have samples, separated by
 * commas.
 *
 * They read `fleet.gpu_day_sums` (README.md): any range of half hours of a day is the difference of two running sums.
 */
export const TELEMETRY: Record<Series, string> = {
  none: `SELECT ${MEANS}, NULL AS utilization_series ${daysSql()}`,
  halfHours: `SELECT ${MEANS}, ${halfHoursSql(FIRST)} AS utilization_series ${daysSql()}`,
  firstOfTwo: `SELECT ${MEANS}, ${FIRST_OF_TWO} AS utilization_series ${daysSql()}`,
  wide: wideBucketsSql(),
};
