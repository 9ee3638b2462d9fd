import { SEVERITIES } from '@gpu-observatory/domain-types';

/**
 * Means in `fleet.metric_days`, by the keys of `metrics_summary` without `avg_` (docs/fleet-api.md#fleet-metrics). Each has
 * a sum and a count.
 */
export const MEANS = [
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'gpu_memory',
  'gpu_fan_speed',
  'clock_speed',
  'memory_clock',
  'memory_temperature_c',
  'tensor_active_pct',
  'dram_active_pct',
  'pcie_tx_mb_per_second',
  'pcie_rx_mb_per_second',
  'thermal_slope',
  'cpu_load',
  'cpu_utilization',
  'fork_rate',
  'exit_rate',
] as const;
export type Mean = (typeof MEANS)[number];

/** Totals in `fleet.metric_days`, by the keys of `metrics_summary` without `total_`; energy is returned in kWh. */
export const TOTALS = ['ecc_errors', 'xid_errors', 'throttle_events', 'energy_millijoules'] as const;
export type Total = (typeof TOTALS)[number];

/** Energy is stored in mJ, and returned in kWh. */
export const MILLIJOULES_PER_KWH = 3.6e9;

/** Columns of `fleet.metric_days` with its sums and counts, in the order of its generated column `sums`. */
export const SUM_COLUMNS = [
  ...MEANS.flatMap((mean) => [`${mean}_sum`, `${mean}_n`] as const),
  'health_score_ms',
  'health_ms',
  ...TOTALS,
  ...SEVERITIES.map((severity) => `alerts_${severity}` as const),
] as const;
export type SumColumn = (typeof SUM_COLUMNS)[number];

/** Sums are integers in units of 1/10,000 of a reading: floating-point sums would depend on the order of addition. */
export const SUM_SCALE = 10_000;

/** Converts a reading, or a sum of readings, to the unit of the sums. */
export function inSumUnits(value: number): number {
  return Math.round(value * SUM_SCALE);
}

/** Health scores, 0 to 100 (docs/fleet-api.md#fleet-metrics). */
export const HEALTH_SCORES = { healthy: 100, degraded: 50, critical: 0, missing: 0 } as const;
