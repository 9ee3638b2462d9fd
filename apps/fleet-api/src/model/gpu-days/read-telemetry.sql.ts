import { DAY_MS } from '@gpu-observatory/domain-types';
import { dayStart } from '../metrics/time-grains.ts';
import { HALF_HOUR_MS, HALF_HOURS_PER_DAY, MAX_SERIES_BUCKETS } from './format.ts';

/** Adds parameters to a statement; returns `$1`, `$2`, … */
interface Parameters {
  value(value: unknown): string;
  /** Returns the predicate for the customer of the table `alias`. */
  customer(alias: string): string;
}

/** A window aligned to half hours, in ms since the epoch; `toMs` is exclusive. */
interface Window {
  fromMs: number;
  toMs: number;
}

/**
 * Returns a subselect of the telemetry of the GPU `g` within a window: `utilization_pct` and `temperature_c` as text
 * with two decimals, `xid_reported`, and `utilization_series`, the means of the buckets that have samples, separated by
 * commas.
 *
 * It reads `fleet.gpu_day_sums` (README.md): any range of half hours of a day is the difference of two running sums.
 *
 * @param series false to leave the series null
 */
export function telemetrySql(parameters: Parameters, window: Window, series: boolean): string {
  const days = daysOf(parameters, window);
  if (!series) return `SELECT ${meansOf(days)}, NULL AS utilization_series ${days.from()}`;
  const halfHours = (window.toMs - window.fromMs) / HALF_HOUR_MS;
  if (halfHours > MAX_SERIES_BUCKETS + 1) return wideBucketsSql(parameters, window, days);
  return `SELECT ${meansOf(days)}, ${halfHoursSql(parameters, halfHours, days)} AS utilization_series ${days.from()}`;
}

/** SQL for the days `d` of a window. */
interface Days {
  /** @param join joined to each day */
  from(join?: string): string;
  /** Half hours of the day before the window, and until its end: the window has numbers first + 1 to last. */
  first: string;
  last: string;
  firstDay: string;
  /** `first` of the first day. */
  firstHalfHour: number;
}

function daysOf(parameters: Parameters, { fromMs, toMs }: Window): Days {
  const [from, to] = [positionInDay(fromMs), positionInDay(toMs - HALF_HOUR_MS)];
  const firstDay = `${parameters.value(new Date(from.dayMs))}::timestamptz`;
  const lastDay = `${parameters.value(new Date(to.dayMs))}::timestamptz`;
  return {
    from: (join = '') => `FROM fleet.gpu_day_sums d ${join}
      WHERE ${parameters.customer('d')} AND d.gpu_id = g.gpu_id
        AND d.day >= ${firstDay} AND d.day <= ${lastDay}`,
    first: `CASE WHEN d.day = ${firstDay} THEN ${parameters.value(from.halfHour)}::integer ELSE 0 END`,
    last: `CASE WHEN d.day = ${lastDay} THEN ${parameters.value(to.halfHour + 1)}::integer ELSE ${HALF_HOURS_PER_DAY} END`,
    firstDay,
    firstHalfHour: from.halfHour,
  };
}

function positionInDay(atMs: number): { dayMs: number; halfHour: number } {
  return { dayMs: dayStart(atMs), halfHour: (atMs % DAY_MS) / HALF_HOUR_MS };
}

function meansOf({ first, last }: Days): string {
  return `${meanSql('utilization', first, last)}::text AS utilization_pct,
    ${meanSql('temperature', first, last)}::text AS temperature_c,
    bool_or(${reportedSql(first, last)}) AS xid_reported`;
}

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

/**
 * Returns a series with one bucket per half hour: the texts of the days, cut to the window. A window of the last 24
 * hours touches 49 half hours, one more than the limit; then the first bucket covers two of them.
 */
function halfHoursSql(
  parameters: Parameters,
  halfHours: number,
  { first, last, firstDay, firstHalfHour }: Days,
): string {
  const cutFrom = (from: string) => `convert_from(rtrim(string_agg(
      substr(d.utilization_series, 1 + coalesce(d.utilization_series_ends[${from}], 0), ${differenceSql('utilization_series_ends', from, last)}),
      '' ORDER BY d.day), ','::bytea), 'UTF8')`;
  if (halfHours <= MAX_SERIES_BUCKETS) return cutFrom(first);
  const second = firstHalfHour + 2;
  const [onFirstDay, onNextDay] = [
    Math.min(second, HALF_HOURS_PER_DAY),
    Math.max(second - HALF_HOURS_PER_DAY, 0),
  ];
  const afterFirst = `CASE WHEN d.day = ${firstDay} THEN ${parameters.value(onFirstDay)}::integer ELSE ${parameters.value(onNextDay)}::integer END`;
  return `concat_ws(',', ${meanSql('utilization', first, afterFirst)}, nullif(${cutFrom(afterFirst)}, ''))`;
}

/** Returns means and series of a window with wider buckets: each bucket adds up the days that it touches. */
function wideBucketsSql(
  parameters: Parameters,
  { fromMs, toMs }: Window,
  { from, first, last }: Days,
): string {
  const all = `${parameters.value((toMs - fromMs) / HALF_HOUR_MS)}::bigint`;
  // Half hours are numbered from the start of the window. Number n is in bucket n * buckets / all, rounded down.
  const dayBegins = `((date_part('epoch', d.day) - ${parameters.value(fromMs / 1_000)}::float8) / ${HALF_HOUR_MS / 1_000})::bigint`;
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
      ${from(`CROSS JOIN LATERAL (
        SELECT k AS bucket, greatest(${first}, ${beginOf('k')} - ${dayBegins})::integer AS first,
          least(${last}, ${beginOf('k + 1')} - ${dayBegins})::integer AS last
        FROM generate_series(${bucketOf(`${dayBegins} + ${first}`)}, ${bucketOf(`${dayBegins} + ${last} - 1`)}) AS k
      ) AS p`)}
      GROUP BY p.bucket
    ) AS b`;
}
