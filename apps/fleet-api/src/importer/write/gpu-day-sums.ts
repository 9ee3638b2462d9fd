import { SERIES_PART } from '../../model/gpu-days/series-format.ts';
import type { ImportConnection } from './import-connection.ts';

const MEASURED = ['utilization', 'temperature'];
const MADE = [
  'samples',
  'xid_reported',
  ...MEASURED.flatMap((what) => [`${what}_sums`, `${what}_counts`]),
  'utilization_series',
];

/**
 * Computes the running sums of days in the database, from nothing but their rows in `fleet.gpu_days`. The mean is rounded
 * as in `gpu-telemetry.sql.ts`.
 */
const WRITE_SUMS = `
  INSERT INTO fleet.gpu_day_sums AS known (customer_id, gpu_id, day, ${MADE.join(', ')})
  SELECT d.customer_id, d.gpu_id, d.day, ${MADE.map((column) => `s.${column}`).join(', ')}
  FROM unnest($2::text[], $3::timestamptz[]) AS written (gpu_id, day)
  JOIN fleet.gpu_days d ON d.customer_id = $1 AND d.gpu_id = written.gpu_id AND d.day = written.day
  CROSS JOIN LATERAL (
    SELECT sum(h.samples)::integer AS samples,
      sum(CASE WHEN h.xid_reports > 0 THEN 1::bigint << (h.place::integer - 1) ELSE 0 END)::bigint AS xid_reported,
      ${MEASURED.map(
        (what) => `array_agg(h.${what}_sum ORDER BY h.place) AS ${what}_sums,
      array_agg(h.${what}_n ORDER BY h.place) AS ${what}_counts,`,
      ).join('\n      ')}
      convert_to(string_agg(coalesce(lpad(to_char(h.mean, 'FM990.00'), ${SERIES_PART - 1}) || ',', repeat(' ', ${SERIES_PART})), ''
        ORDER BY h.place), 'UTF8') AS utilization_series
    FROM (
      SELECT u.place, u.samples, u.xid_reports,
        ${MEASURED.map(
          (what) =>
            `sum(u.${what}_sum) OVER upto AS ${what}_sum, (sum(u.${what}_n) OVER upto)::integer AS ${what}_n,`,
        ).join('\n        ')}
        round(u.utilization_sum / nullif(u.utilization_n, 0) * 100) / 100 AS mean
      FROM unnest(d.samples, d.xid_reports, d.utilization_sum, d.utilization_n, d.temperature_sum, d.temperature_n)
        WITH ORDINALITY AS u (samples, xid_reports, utilization_sum, utilization_n, temperature_sum, temperature_n, place)
      WINDOW upto AS (ORDER BY u.place)
    ) AS h
  ) AS s
  ON CONFLICT (customer_id, gpu_id, day) DO UPDATE SET ${MADE.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Updates the running sums of the days that the batch has written. */
export async function writeGpuDaySums(
  connection: ImportConnection,
  customerId: number,
  written: { gpuId: string; dayMs: number }[],
): Promise<void> {
  if (written.length === 0) return;
  await connection.query(WRITE_SUMS, [
    customerId,
    written.map(({ gpuId }) => gpuId),
    written.map(({ dayMs }) => new Date(dayMs)),
  ]);
}
