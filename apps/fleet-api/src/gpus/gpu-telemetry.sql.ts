import type { ScopedStatement } from '../access/tenant-database.ts';
import { HALF_HOUR_MS, type TelemetryWindow } from './telemetry-window.ts';

/**
 * What a window holds of one GPU: means with two decimals, how often XIDs were reported, and the series of its buckets,
 * from the half hours of the days of the GPU `g`. Of each day only the half hours in the window are unpacked, and each
 * once: that is most of what a list costs.
 *
 * @param series whether there is a series
 */
export function telemetrySql(statement: ScopedStatement, window: TelemetryWindow, series: boolean): string {
  const from = `${statement.value(new Date(window.fromMs))}::timestamptz`;
  const to = `${statement.value(new Date(window.toMs))}::timestamptz`;
  const halfHours = halfHoursSql(from, to);
  if (!series) return `SELECT ${MEANS} ${halfHours}`;
  if (window.bucketMs === HALF_HOUR_MS) {
    return `SELECT ${MEANS},
        json_agg(${twoDecimals('s.utilization_sum / s.utilization_n')} ORDER BY d.day, s.place)
          FILTER (WHERE s.utilization_n > 0) AS utilization_series
      ${halfHours}`;
  }
  const seconds = `extract(epoch FROM d.day - ${from}) + (bounds.first + s.place - 2) * ${HALF_HOUR_MS / 1000}`;
  const bucket = `floor((${seconds})::float8 / ${statement.value(window.bucketMs / 1000)}::float8)`;
  const summed = MEASURED.map((column) => `sum(s.${column}) AS ${column}`).join(', ');
  return `SELECT ${MEANS},
      json_agg(${twoDecimals('s.utilization_sum / s.utilization_n')} ORDER BY s.bucket)
        FILTER (WHERE s.utilization_n > 0) AS utilization_series
    FROM (SELECT ${bucket} AS bucket, ${summed} ${halfHours} GROUP BY 1) AS s`;
}

const MEASURED = ['utilization_sum', 'utilization_n', 'temperature_sum', 'temperature_n', 'xid_reports'];
const MEANS = `
  ${twoDecimals('sum(s.utilization_sum) / nullif(sum(s.utilization_n), 0)')} AS utilization_pct,
  ${twoDecimals('sum(s.temperature_sum) / nullif(sum(s.temperature_n), 0)')} AS temperature_c,
  sum(s.xid_reports) AS xid_reports`;

/** By floating point: `numeric` takes several times as long. */
function twoDecimals(value: string): string {
  return `round((${value})::float8 * 100) / 100`;
}

/** The half hours `s` of the days `d` that lie in the window, the first of a day's being number `bounds.first`. */
function halfHoursSql(from: string, to: string): string {
  const border = (at: string) => `(extract(epoch FROM ${at} - d.day) / ${HALF_HOUR_MS / 1000})::integer`;
  const slices = MEASURED.map((column) => `d.${column}[bounds.first:bounds.last]`).join(', ');
  return `FROM fleet.gpu_days d
    CROSS JOIN LATERAL (
      SELECT greatest(1, 1 + ${border(from)}) AS first, least(48, ${border(to)}) AS last
    ) AS bounds
    CROSS JOIN LATERAL unnest(${slices}) WITH ORDINALITY AS s (${MEASURED.join(', ')}, place)
    WHERE d.customer_id = g.customer_id AND d.gpu_id = g.gpu_id
      AND d.day > ${from} - interval '1 day' AND d.day < ${to}`;
}
