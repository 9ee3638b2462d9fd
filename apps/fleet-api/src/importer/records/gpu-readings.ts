import * as fields from './field-schemas.ts';
import type { ValueOf } from './schema-types.ts';

interface Reading {
  /** Type of the column in `fleet.gpu_samples`. A `real` is rounded to its precision. */
  column: 'real' | 'integer' | 'bigint' | 'boolean' | 'text';
  schema: object;
  /** Whether `fleet.gpus.latest` has the newest value. */
  isLatest?: true;
}

/** All readings of a sample, with their column, their schema and their place in the newest readings. */
export const GPU_READINGS = {
  utilization_pct: { column: 'real', schema: fields.percent, isLatest: true },
  memory_used_mib: { column: 'real', schema: fields.reading, isLatest: true },
  memory_total_mib: { column: 'real', schema: fields.memoryTotal, isLatest: true },
  temperature_c: { column: 'real', schema: fields.celsius, isLatest: true },
  memory_temperature_c: { column: 'real', schema: fields.celsius, isLatest: true },
  power_draw_w: { column: 'real', schema: fields.reading, isLatest: true },
  power_limit_w: { column: 'real', schema: fields.reading, isLatest: true },
  fan_pct: { column: 'real', schema: fields.fanPercent, isLatest: true },
  sm_clock_mhz: { column: 'real', schema: fields.reading },
  memory_clock_mhz: { column: 'real', schema: fields.reading },
  /**
   * DCGM field 230: the last XID code, 0 for none since the driver was loaded; null when the source does not report
   * XIDs.
   */
  xid_last_code: { column: 'integer', schema: fields.xidCode },
  /** DCGM field 112: a bit mask. */
  throttle_reasons: { column: 'bigint', schema: fields.counter },
  ecc_single_bit_total: { column: 'bigint', schema: fields.summedCounter },
  ecc_double_bit_total: { column: 'bigint', schema: fields.summedCounter },
  row_remap_failed: { column: 'boolean', schema: fields.nullableBoolean },
  /** Whether the next reset remaps a row, or retires a page on boards before Ampere. */
  row_remap_pending: { column: 'boolean', schema: fields.nullableBoolean },
  /** Rows that were remapped after uncorrectable errors. */
  remapped_rows_total: { column: 'bigint', schema: fields.counter, isLatest: true },
  nvlink_errors_total: { column: 'bigint', schema: fields.counter },
  pcie_replays_total: { column: 'bigint', schema: fields.counter },
  /** Share of the cycles in which the tensor cores, or the memory interface, are active. */
  tensor_active_pct: { column: 'real', schema: fields.percent, isLatest: true },
  dram_active_pct: { column: 'real', schema: fields.percent, isLatest: true },
  /** Data that the GPU sends and receives over PCIe, in 1,000,000 bytes per second. */
  pcie_tx_mb_per_second: { column: 'real', schema: fields.megabytesPerSecond, isLatest: true },
  pcie_rx_mb_per_second: { column: 'real', schema: fields.megabytesPerSecond, isLatest: true },
  /** Energy since the driver was loaded. */
  energy_millijoules_total: { column: 'bigint', schema: fields.energy, isLatest: true },
  /** Health that the source states, such as a recovery action; null when it states none. */
  source_health: { column: 'text', schema: fields.health },
  /** What the source states, if it is not healthy. */
  source_verdict: { column: 'text', schema: fields.nullableName },
} as const satisfies Record<string, Reading>;

type Readings = typeof GPU_READINGS;
export type ReadingName = keyof Readings;
/** Readings of one GPU at one time; null or absent: not measured. */
export type GpuReadings = {
  [Name in ReadingName]?: ValueOf<Readings[Name]['schema']>;
};
/** The newest value of each reading of this kind. */
export type LatestName = {
  [Name in ReadingName]: Readings[Name] extends { isLatest: true } ? Name : never;
}[ReadingName];

export const READING_NAMES = Object.keys(GPU_READINGS) as ReadingName[];
export const LATEST_NAMES = READING_NAMES.filter(
  (name): name is LatestName => (GPU_READINGS[name] as Reading).isLatest === true,
);
