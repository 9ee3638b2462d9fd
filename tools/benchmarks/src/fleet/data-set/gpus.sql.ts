import type { Size } from './size.ts';

/** GPUs per statement that inserts their days. */
export const GPU_CHUNK = 250;
/** One sample every 15 s. */
const SAMPLES_PER_HALF_HOUR = 120;
const PATTERNS = 64;

/** Id of GPU `i`, the same as in its alerts. */
const GPU_ID = `'GPU-' || md5('gpu ' || i)`;
/** Customer 1 has 94 % of the GPUs. */
const CUSTOMER = 'CASE WHEN i % 100 < 94 THEN 1 WHEN i % 100 < 99 THEN 2 ELSE 3 END';

/** Long enough that no GPU goes missing while the data set is kept. */
const REPORT_INTERVAL_SECONDS = 30 * 86_400;

/** Inserts `$1` GPUs, last seen at `$2`. One in 50 is degraded and one in 200 critical, for a year. */
export const INSERT_GPUS_SQL = `
  INSERT INTO fleet.gpus (customer_id, gpu_id, workspace_id, vendor, model, compute_stack, driver_version, firmware_version,
    hostname, pcie_address, serial_no, report_interval_seconds, inventory_at, first_seen, last_seen, has_telemetry, latest,
    health_signals, critical_until, degraded_until)
  SELECT ${CUSTOMER}, ${GPU_ID}, ${CUSTOMER} * 100 + 1 + i % 20, 'NVIDIA', 'NVIDIA H100 80GB HBM3', 'CUDA 12.4', '550.90.07',
    '96.00.74.00.01', 'node-' || to_char(i / 8, 'FM0000') || '.cluster.example', '00000000:' || to_hex(24 + i % 8) || ':00.0',
    '16' || to_char(i, 'FM00000000000'), ${REPORT_INTERVAL_SECONDS}, $2::timestamptz, $2::timestamptz - interval '90 days', $2::timestamptz, true,
    '{"utilization_pct":63,"memory_used_mib":40960,"memory_total_mib":81559,"temperature_c":61,"power_draw_w":412}',
    '[]', CASE WHEN i % 200 = 7 THEN $2::timestamptz + interval '1 year' END,
    CASE WHEN i % 50 = 3 THEN $2::timestamptz + interval '1 year' END
  FROM generate_series(0, $1::integer - 1) AS i`;

/** Creates day patterns that GPUs share: sums and counts per half hour, with a constant number of samples. */
export const PATTERNS_SQL = `
  CREATE TEMPORARY TABLE pattern AS
  SELECT p, array_agg(${SAMPLES_PER_HALF_HOUR}::smallint ORDER BY s) AS n,
    array_agg(round((${SAMPLES_PER_HALF_HOUR} * (20 + 70 * r))::numeric, 1)::float8 ORDER BY s) AS utilization,
    array_agg(round((${SAMPLES_PER_HALF_HOUR} * (8000 + 64000 * r))::numeric, 1)::float8 ORDER BY s) AS memory_used,
    array_agg(round((${SAMPLES_PER_HALF_HOUR} * (38 + 40 * r))::numeric, 1)::float8 ORDER BY s) AS temperature,
    array_agg(round((${SAMPLES_PER_HALF_HOUR} * (90 + 600 * r))::numeric, 1)::float8 ORDER BY s) AS power
  FROM generate_series(0, ${PATTERNS - 1}) AS p, generate_series(1, 48) AS s,
    LATERAL (SELECT (hashint8extended(p * 48 + s, 5) & 65535) / 65536.0 AS r) AS drawn
  GROUP BY p`;

/** Creates the day sums of the patterns, in the format that the importer writes. */
export const PATTERN_SUMS_SQL = `
  CREATE TEMPORARY TABLE pattern_sums AS
  SELECT h.p, array_agg(h.utilization ORDER BY h.place) AS utilization, array_agg(h.temperature ORDER BY h.place) AS temperature,
    array_agg(h.n ORDER BY h.place) AS n,
    convert_to(string_agg(h.item, '' ORDER BY h.place), 'UTF8') AS series, array_agg(h.series_end ORDER BY h.place) AS series_ends
  FROM (
    SELECT pattern.p, s.place, sum(s.utilization) OVER upto AS utilization, sum(s.temperature) OVER upto AS temperature,
      (sum(s.n) OVER upto)::integer AS n, i.item, (sum(length(i.item)) OVER upto)::smallint AS series_end
    FROM pattern, unnest(pattern.utilization, pattern.temperature, pattern.n)
      WITH ORDINALITY AS s (utilization, temperature, n, place),
      LATERAL (SELECT (round(s.utilization / s.n * 100) / 100)::text || ',' AS item) AS i
    WINDOW upto AS (PARTITION BY pattern.p ORDER BY s.place)
  ) AS h
  GROUP BY h.p`;

/** One row per GPU `i` and day `d` before `$3`. */
const daysSql = ({ days }: Size) => `
  FROM generate_series($1::integer, $2::integer - 1) AS i, generate_series(0, ${days - 1}) AS d`;
const PATTERN = `(i * 7 + d * 13) % ${PATTERNS}`;
const DAY = `date_trunc('day', $3::timestamptz, 'UTC') - d * interval '1 day'`;

/** Inserts the days before `$3` of GPUs `$1` to `$2` (exclusive). */
export function insertGpuDaysSql(size: Size): string {
  return `
    INSERT INTO fleet.gpu_days (customer_id, gpu_id, day, samples, utilization_sum, utilization_n, memory_used_sum,
      memory_used_n, temperature_sum, temperature_n, power_sum, power_n, xid_reports, memory_pct_sum, memory_pct_n, fan_sum,
      fan_n, sm_clock_sum, sm_clock_n, memory_clock_sum, memory_clock_n, memory_temperature_sum, memory_temperature_n,
      tensor_active_sum, tensor_active_n, dram_active_sum, dram_active_n, pcie_tx_sum, pcie_tx_n, pcie_rx_sum, pcie_rx_n)
    SELECT ${CUSTOMER}, ${GPU_ID}, ${DAY}, p.n, p.utilization, p.n, p.memory_used, p.n, p.temperature, p.n, p.power, p.n, p.n,
      5760 * 49.5, 5760, 0, 0, 5760 * 1755.0, 5760, 5760 * 2619.0, 5760, 5760 * 68.0, 5760,
      5760 * 31.5, 5760, 5760 * 27.5, 5760, 5760 * 400.0, 5760, 5760 * 1200.0, 5760
    ${daysSql(size)},
      LATERAL (SELECT n, utilization, memory_used, temperature, power FROM pattern WHERE pattern.p = ${PATTERN}) AS p`;
}

/** Inserts the day sums of the same days. */
export function insertGpuDaySumsSql(size: Size): string {
  return `
    INSERT INTO fleet.gpu_day_sums (customer_id, gpu_id, day, samples, xid_reported, utilization_sums, utilization_counts,
      temperature_sums, temperature_counts, utilization_series, utilization_series_ends)
    SELECT ${CUSTOMER}, ${GPU_ID}, ${DAY}, p.n[48], (1::bigint << 48) - 1, p.utilization, p.n, p.temperature, p.n, p.series, p.series_ends
    ${daysSql(size)},
      LATERAL (SELECT utilization, temperature, n, series, series_ends FROM pattern_sums WHERE pattern_sums.p = ${PATTERN}) AS p`;
}

/** Inserts one XID event per GPU and 50 days, for `$1` GPUs and the days before `$2`. */
export function insertXidEventsSql({ days }: Size): string {
  return `
    INSERT INTO fleet.gpu_xid_events (customer_id, gpu_id, at, code)
    SELECT ${CUSTOMER}, ${GPU_ID}, date_trunc('milliseconds', $2::timestamptz - (d + (i % 89) / 90.0) * interval '1 day'),
      (ARRAY[13, 31, 43, 45, 63, 74, 79])[1 + i % 7]
    FROM generate_series(0, $1::integer - 1) AS i, generate_series(0, ${days - 1}) AS d
    WHERE (i * 7 + d * 13) % 50 = 0`;
}
