import { SERIES_PART } from '../../model/gpu-days/series-format.ts';
import type { ImportConnection } from './import-connection.ts';

const MEASURED = ['utilization', 'temperature'];
const MADE = [
  'samples',
  'xid_reported',
  ...MEASURED.flatMap((what) => [`${what}_sums`, `${what}_ns`]),
  'utilization_series',
];

/**
 * Makes `fleet.gpu_day_sums` of days `d` anew, in the database: so it depends on nothing but the day as it is there. The mean is
 * rounded as in `gpu-telemetry.sql.ts`.
 */
const sumDaysSql = (days: string, where = 'true') => `
  INSERT INTO fleet.gpu_day_sums AS known (customer_id, gpu_id, day, ${MADE.join(', ')})
  SELECT d.customer_id, d.gpu_id, d.day, ${MADE.map((column) => `s.${column}`).join(', ')}
  FROM ${days} CROSS JOIN LATERAL (
    SELECT sum(h.samples)::integer AS samples,
      sum(CASE WHEN h.xid_reports > 0 THEN 1::bigint << (h.place::integer - 1) ELSE 0 END)::bigint AS xid_reported,
      ${MEASURED.map(
        (what) => `array_agg(h.${what}_sum ORDER BY h.place) AS ${what}_sums,
      array_agg(h.${what}_n ORDER BY h.place) AS ${what}_ns,`,
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
  WHERE ${where}
  ON CONFLICT (customer_id, gpu_id, day) DO UPDATE SET ${MADE.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const WRITTEN = sumDaysSql(`unnest($2::text[], $3::timestamptz[]) AS written (gpu_id, day)
  JOIN fleet.gpu_days d ON d.customer_id = $1 AND d.gpu_id = written.gpu_id AND d.day = written.day`);

/** Days of which fewer samples are in the sums than there are: each change of a day brings one. */
const IS_BEHIND = `(SELECT sum(n) FROM unnest(d.samples) AS n) IS DISTINCT FROM (
  SELECT k.samples FROM fleet.gpu_day_sums k WHERE k.customer_id = d.customer_id AND k.gpu_id = d.gpu_id AND k.day = d.day)`;
const BEHIND = sumDaysSql('fleet.gpu_days d', `d.customer_id = $1 AND ${IS_BEHIND}`);

/**
 * Brings the running sums of days up to date, of those just written, and of all where the customer's last import was of a
 * release that does not keep them.
 */
export async function writeGpuDaySums(
  connection: ImportConnection,
  customerId: number,
  written: { gpuId: string; dayMs: number }[],
): Promise<void> {
  if (written.length > 0) {
    await connection.query(WRITTEN, [
      customerId,
      written.map(({ gpuId }) => gpuId),
      written.map(({ dayMs }) => new Date(dayMs)),
    ]);
  }
  if (await followsOn(connection, customerId)) return;
  await connection.query(
    `SELECT fleet.ensure_partition('gpu_day_sums', max(d.day)) FROM fleet.gpu_days d
     WHERE d.customer_id = $1 AND ${IS_BEHIND}
     GROUP BY date_trunc('month', d.day, 'UTC')`,
    [customerId],
  );
  await connection.query(BEHIND, [customerId]);
}

/**
 * Says that the sums are kept up to this batch.
 *
 * @returns whether they were up to the one before
 */
async function followsOn(connection: ImportConnection, customerId: number): Promise<boolean> {
  const [row] = await connection.query<{ followed: boolean }>(
    `WITH former AS (SELECT k.seq FROM fleet.day_sum_positions k WHERE k.customer_id = $1)
     INSERT INTO fleet.day_sum_positions AS k (customer_id, seq)
     SELECT p.customer_id, p.seq FROM fleet.import_positions p WHERE p.customer_id = $1
     ON CONFLICT (customer_id) DO UPDATE SET seq = excluded.seq
     RETURNING coalesce((SELECT f.seq FROM former f), 0) = k.seq - 1 AS followed`,
    [customerId],
  );
  return (row as { followed: boolean }).followed;
}
