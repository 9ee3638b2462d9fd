import { MEANS_OF_HALF_HOUR, USAGE_OF_HALF_HOURS } from './usage.sql.ts';

const SUMMED_READINGS = ['utilization', 'temperature'];
const COLUMNS = [
  'samples',
  'xid_reported',
  ...SUMMED_READINGS.flatMap((name) => [`${name}_sums`, `${name}_counts`]),
  'utilization_series',
  'utilization_series_ends',
  'first_half_hour',
  'sampled_half_hours',
  'utilization_half_hours',
  'busy_half_hours',
  'power_half_hours',
  'watt_half_hours',
];

/** Mean utilization with two decimals (rounded as by `twoDecimals`) and a comma; empty without readings. */
const SERIES_ITEM =
  "coalesce((round(u.utilization_sum / nullif(u.utilization_n, 0) * 100) / 100 + 0)::text || ',', '')";

/** The half hours `u` of a day `d`, with the running sums of its readings and of the length of its series. */
const RUNNING_SUMS = `SELECT u.number, u.samples, u.xid_reports,
        ${SUMMED_READINGS.map(
          (name) =>
            `sum(u.${name}_sum) OVER running AS ${name}_sum, (sum(u.${name}_n) OVER running)::integer AS ${name}_n,`,
        ).join('\n        ')}
        i.series_item, (sum(length(i.series_item)) OVER running)::smallint AS series_end,
        ${MEANS_OF_HALF_HOUR}
      FROM unnest(d.samples, d.xid_reports, d.utilization_sum, d.utilization_n, d.temperature_sum, d.temperature_n, d.power_sum, d.power_n)
        WITH ORDINALITY AS u (samples, xid_reports, utilization_sum, utilization_n, temperature_sum, temperature_n, power_sum, power_n, number),
        LATERAL (SELECT ${SERIES_ITEM} AS series_item) AS i
      WINDOW running AS (ORDER BY u.number)`;

/** The row of a day: its half hours `h` as arrays. Bit n - 1 of `xid_reported` is set when XIDs were reported in half hour n. */
const DAY_SUMS = `SELECT sum(h.samples)::integer AS samples,
      sum(CASE WHEN h.xid_reports > 0 THEN 1::bigint << (h.number::integer - 1) ELSE 0 END)::bigint AS xid_reported,
      ${SUMMED_READINGS.map(
        (name) => `array_agg(h.${name}_sum ORDER BY h.number) AS ${name}_sums,
      array_agg(h.${name}_n ORDER BY h.number) AS ${name}_counts,`,
      ).join('\n      ')}
      convert_to(string_agg(h.series_item, '' ORDER BY h.number), 'UTF8') AS utilization_series,
      array_agg(h.series_end ORDER BY h.number) AS utilization_series_ends,
      ${USAGE_OF_HALF_HOURS}
    FROM (
      ${RUNNING_SUMS}
    ) AS h`;

/**
 * Returns a statement that computes the running sums (README.md) of days from their rows in `fleet.gpu_days` alone.
 *
 * @param days the rows of `fleet.gpu_days`, as `d`
 */
const daySumsSql = (days: string) => `
  INSERT INTO fleet.gpu_day_sums AS stored (customer_id, gpu_id, day, ${COLUMNS.join(', ')})
  SELECT d.customer_id, d.gpu_id, d.day, ${COLUMNS.map((column) => `sums.${column}`).join(', ')}
  FROM ${days}
  CROSS JOIN LATERAL (
    ${DAY_SUMS}
  ) AS sums
  ON CONFLICT (customer_id, gpu_id, day) DO UPDATE SET ${COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Writes the running sums of days. Parameters: customer id, GPU ids, days. */
export const WRITE_DAY_SUMS_SQL = daySumsSql(
  `unnest($2::text[], $3::timestamptz[]) AS written (gpu_id, day)
  JOIN fleet.gpu_days d ON d.customer_id = $1 AND d.gpu_id = written.gpu_id AND d.day = written.day`,
);

/** Corrects the running sums of all days of a customer, and returns a row for each that was wrong. */
export const CORRECT_DAY_SUMS_SQL = `${daySumsSql('(SELECT * FROM fleet.gpu_days g WHERE g.customer_id = $1) AS d')}
  WHERE ${COLUMNS.map((column) => `stored.${column} IS DISTINCT FROM excluded.${column}`).join(' OR ')}
  RETURNING stored.day`;
