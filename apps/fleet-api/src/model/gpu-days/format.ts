import { MINUTE_MS } from '@gpu-observatory/domain-types';

export const HALF_HOUR_MS = 30 * MINUTE_MS;
/** Length of the arrays in `fleet.gpu_days` and `fleet.gpu_day_sums`. */
export const HALF_HOURS_PER_DAY = 48;
/** Readings whose means over half hours are stored: the columns `<column>_sum` and `<column>_n` of `fleet.gpu_days`. */
export const HALF_HOUR_READINGS = [
  { reading: 'utilization_pct', column: 'utilization' },
  { reading: 'memory_used_mib', column: 'memory_used' },
  { reading: 'temperature_c', column: 'temperature' },
  { reading: 'power_draw_w', column: 'power' },
] as const;
/**
 * Readings whose mean over a day is stored: the columns `<column>_sum` and `<column>_n` of `fleet.gpu_days`, and the mean in
 * `fleet.metric_days`.
 */
export const DAY_READINGS = [
  { reading: 'fan_pct', column: 'fan', mean: 'gpu_fan_speed' },
  { reading: 'sm_clock_mhz', column: 'sm_clock', mean: 'clock_speed' },
  { reading: 'memory_clock_mhz', column: 'memory_clock', mean: 'memory_clock' },
  { reading: 'memory_temperature_c', column: 'memory_temperature', mean: 'memory_temperature_c' },
  { reading: 'tensor_active_pct', column: 'tensor_active', mean: 'tensor_active_pct' },
  { reading: 'dram_active_pct', column: 'dram_active', mean: 'dram_active_pct' },
  { reading: 'pcie_tx_mb_per_second', column: 'pcie_tx', mean: 'pcie_tx_mb_per_second' },
  { reading: 'pcie_rx_mb_per_second', column: 'pcie_rx', mean: 'pcie_rx_mb_per_second' },
] as const;
/** Maximum number of buckets of a series in a response. */
export const MAX_SERIES_BUCKETS = 48;
