import { SERIES_PART } from '../../model/gpu-days/series-format.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';
import { HALF_HOUR_MS, MAX_SERIES_BUCKETS, type TelemetryWindow } from './telemetry-window.ts';

const DAY_MS = 86_400_000;
const HALF_HOURS_OF_DAY = 48;

/**
 * What a window holds of the GPU `g`, as JSON: means with two decimals (`utilization_pct`, `temperature_c`), whether XIDs were
 * reported, and `utilization_series`, the numbers of its buckets with commas between them; null stands for an empty one.
 *
 * Each day of `fleet.gpu_day_sums` tells what any of its half hours add up to by two elements of its running sums.
 *
 * @param series whether there is a series
 */
export function telemetrySql(statement: ScopedStatement, window: TelemetryWindow, series: boolean): string {
  const days = daysOf(statement, window);
  if (!series) return `SELECT ${meansOf(days)}, NULL AS utilization_series ${days.from()}`;
  const halfHours = (window.toMs - window.fromMs) / HALF_HOUR_MS;
  if (halfHours > MAX_SERIES_BUCKETS + 1) return wideBucketsSql(statement, window, days);
  return `SELECT ${meansOf(days)}, ${halfHoursSql(statement, halfHours, days)} AS utilization_series ${days.from()}`;
}

/** The days `d` of a window. */
interface Days {
  /** @param joined to each */
  from(joined?: string): string;
  /** The half hours of a day that lie in the window: those up to number `last` without those up to number `first`. */
  first: string;
  last: string;
  /** The first day, and in it `first`. */
  firstDay: string;
  firstHalfHour: number;
}

function daysOf(statement: ScopedStatement, { fromMs, toMs }: TelemetryWindow): Days {
  const [from, to] = [placeInDays(fromMs), placeInDays(toMs - HALF_HOUR_MS)];
  const firstDay = `${statement.value(new Date(from.dayMs))}::timestamptz`;
  const lastDay = `${statement.value(new Date(to.dayMs))}::timestamptz`;
  return {
    from: (joined = '') => `FROM fleet.gpu_day_sums d ${joined}
      WHERE d.customer_id = g.customer_id AND d.gpu_id = g.gpu_id
        AND d.day >= ${firstDay} AND d.day <= ${lastDay}`,
    first: `CASE WHEN d.day = ${firstDay} THEN ${statement.value(from.halfHour)}::integer ELSE 0 END`,
    last: `CASE WHEN d.day = ${lastDay} THEN ${statement.value(to.halfHour + 1)}::integer ELSE ${HALF_HOURS_OF_DAY} END`,
    firstDay,
    firstHalfHour: from.halfHour,
  };
}

function placeInDays(atMs: number): { dayMs: number; halfHour: number } {
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  return { dayMs, halfHour: (atMs - dayMs) / HALF_HOUR_MS };
}

/** By the sums of the days' parts. */
function meansOf({ first, last }: Days): string {
  return `${meanSql('utilization', first, last)}::text AS utilization_pct,
    ${meanSql('temperature', first, last)}::text AS temperature_c,
    bool_or(${reportedSql(first, last)}) AS xid_reported`;
}

type Measured = 'utilization' | 'temperature';

function meanSql(what: Measured, first: string, last: string): string {
  return twoDecimals(
    `sum(${addedSql(`${what}_sums`, first, last)}) / nullif(sum(${addedSql(`${what}_counts`, first, last)}), 0)`,
  );
}

/** What these half hours of a day add up to. */
function addedSql(sums: string, first: string, last: string): string {
  return `d.${sums}[${last}] - coalesce(d.${sums}[${first}], 0)`;
}

/** Whether one of these half hours has its bit. */
function reportedSql(first: string, last: string): string {
  return `(d.xid_reported >> ${first}) & ((1::bigint << (${last}) - (${first})) - 1) <> 0`;
}

/** By floating point: `numeric` takes several times as long. Added to zero, -0 is none. */
function twoDecimals(value: string): string {
  return `(round(${value} * 100) / 100 + 0)`;
}

/**
 * A series whose buckets are half hours: the days' own texts, cut to the window. A window of one half hour more than there
 * may be buckets is what the last 24 hours touch; its first bucket holds two.
 */
function halfHoursSql(
  statement: ScopedStatement,
  halfHours: number,
  { first, last, firstDay, firstHalfHour }: Days,
): string {
  const cutFrom = (from: string) => `convert_from(rtrim(string_agg(
      substr(d.utilization_series, 1 + ${SERIES_PART} * (${from}), ${SERIES_PART} * ((${last}) - (${from}))), '' ORDER BY d.day),
      ' ,'::bytea), 'UTF8')`;
  if (halfHours <= MAX_SERIES_BUCKETS) return cutFrom(first);
  const second = firstHalfHour + 2;
  const [here, nextDay] = [Math.min(second, HALF_HOURS_OF_DAY), Math.max(second - HALF_HOURS_OF_DAY, 0)];
  const behindFirst = `CASE WHEN d.day = ${firstDay} THEN ${statement.value(here)}::integer ELSE ${statement.value(nextDay)}::integer END`;
  return `concat_ws(',', ${meanSql('utilization', first, behindFirst)}, nullif(${cutFrom(behindFirst)}, ''))`;
}

/** Means and series of a window whose buckets are wider: each bucket is added up from the days that it touches. */
function wideBucketsSql(
  statement: ScopedStatement,
  { fromMs, toMs }: TelemetryWindow,
  { from, first, last }: Days,
): string {
  const all = `${statement.value((toMs - fromMs) / HALF_HOUR_MS)}::bigint`;
  // Counted from the window's beginning. Bucket k begins with the first half hour of which place * buckets / all is k.
  const dayBegins = `((date_part('epoch', d.day) - ${statement.value(fromMs / 1_000)}::float8) / ${HALF_HOUR_MS / 1_000})::bigint`;
  const bucketOf = (place: string) => `(${place}) * ${MAX_SERIES_BUCKETS} / ${all}`;
  const beginOf = (bucket: string) =>
    `((${bucket}) * ${all} + ${MAX_SERIES_BUCKETS - 1}) / ${MAX_SERIES_BUCKETS}`;
  const added = (['utilization', 'temperature'] as const).flatMap((what) =>
    Object.entries({ sum: 'sums', n: 'counts' }).map(
      ([name, column]) => `sum(${addedSql(`${what}_${column}`, 'p.first', 'p.last')}) AS ${what}_${name}`,
    ),
  );
  const mean = (what: Measured) => twoDecimals(`sum(b.${what}_sum) / nullif(sum(b.${what}_n), 0)`);
  return `SELECT ${mean('utilization')}::text AS utilization_pct, ${mean('temperature')}::text AS temperature_c,
      bool_or(b.xid_reported) AS xid_reported,
      string_agg(${twoDecimals('b.utilization_sum / b.utilization_n')}::text, ',' ORDER BY b.bucket)
        FILTER (WHERE b.utilization_n > 0) AS utilization_series
    FROM (
      SELECT p.bucket, ${added.join(', ')}, bool_or(${reportedSql('p.first', 'p.last')}) AS xid_reported
      ${from(`CROSS JOIN LATERAL (
        SELECT k AS bucket, greatest(${first}, ${beginOf('k')} - ${dayBegins})::integer AS first,
          least(${last}, ${beginOf('k + 1')} - ${dayBegins})::integer AS last
        FROM generate_series(${bucketOf(`${dayBegins} + ${first}`)}, ${bucketOf(`${dayBegins} + ${last} - 1`)}) AS k
      ) AS p`)}
      GROUP BY p.bucket
    ) AS b`;
}
