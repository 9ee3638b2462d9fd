import * as fields from './field-schemas.ts';
import type { ValueOf } from './schema-types.ts';

interface Reading {
  /** Type of the column in `fleet.gpu_samples`. A `real` is rounded to its precision. */
  columnType: 'real' | 'integer' | 'bigint' | 'boolean' | 'text';
  schema: object;
  /** Whether `fleet.gpus.latest` stores its newest value. */
  isLatest?: true;
}

/** All readings of a GPU sample. */
export const GPU_READINGS = {
  utilization_pct: { columnType: 'real', schema: fields.percent, isLatest: true },
  memory_used_mib: { columnType: 'real', schema: fields.reading, isLatest: true },
  memory_total_mib: { columnType: 'real', schema: fields.memoryTotal, isLatest: true },
  temperature_c: { columnType: 'real', schema: fields.celsius, isLatest: true },
  memory_temperature_c: { columnType: 'real', schema: fields.celsius, isLatest: true },
  power_draw_w: { columnType: 'real', schema: fields.reading, isLatest: true },
  power_limit_w: { columnType: 'real', schema: fields.reading, isLatest: true },
  fan_pct: { columnType: 'real', schema: fields.fanPercent, isLatest: true },
  sm_clock_mhz: { columnType: 'real', schema: fields.reading },
  memory_clock_mhz: { columnType: 'real', schema: fields.reading },
  /**
   * DCGM field 230: the last XID code, 0 for none since the driver was loaded; null when the source does not report
   * XIDs.
   */
  xid_last_code: { columnType: 'integer', schema: fields.xidCode },
  /** DCGM field 112: a bit mask. */
  throttle_reasons: { columnType: 'bigint', schema: fields.counter },
  ecc_single_bit_total: { columnType: 'bigint', schema: fields.summedCounter },
  ecc_double_bit_total: { columnType: 'bigint', schema: fields.summedCounter },
  row_remap_failed: { columnType: 'boolean', schema: fields.nullableBoolean },
  /** Whether the next reset remaps a row, or retires a page on boards before Ampere. */
  row_remap_pending: { columnType: 'boolean', schema: fields.nullableBoolean },
  /** Rows that were remapped after uncorrectable errors. */
  remapped_rows_total: { columnType: 'bigint', schema: fields.counter, isLatest: true },
  nvlink_errors_total: { columnType: 'bigint', schema: fields.counter },
  pcie_replays_total: { columnType: 'bigint', schema: fields.counter },
  /** Share of the cycles in which the tensor cores are active. */
  tensor_active_pct: { columnType: 'real', schema: fields.percent, isLatest: true },
  /** Share of the cycles in which the memory interface is active. */
  dram_active_pct: { columnType: 'real', schema: fields.percent, isLatest: true },
  /** Data that the GPU sends over PCIe, in 1,000,000 bytes per second. */
  pcie_tx_mb_per_second: { columnType: 'real', schema: fields.megabytesPerSecond, isLatest: true },
  /** Data that the GPU receives over PCIe, in 1,000,000 bytes per second. */
  pcie_rx_mb_per_second: { columnType: 'real', schema: fields.megabytesPerSecond, isLatest: true },
  /** Energy since the driver was loaded. */
  energy_millijoules_total: { columnType: 'bigint', schema: fields.energy, isLatest: true },
  /** Health derived from reports of the source such as a recovery action; null when it reports nothing about health. */
  source_health: { columnType: 'text', schema: fields.health },
  /** Reason of `source_health` in words; null when healthy. */
  source_verdict: { columnType: 'text', schema: fields.nullableName },
} as const satisfies Record<string, Reading>;

type Readings = typeof GPU_READINGS;
export type ReadingName = keyof Readings;
/** Readings of one GPU at one time; null or absent when not measured. */
export type GpuReadings = {
  [Name in ReadingName]?: ValueOf<Readings[Name]['schema']>;
};
/** Names of the readings in `fleet.gpus.latest`. */
export type LatestName = {
  [Name in ReadingName]: Readings[Name] extends { isLatest: true } ? Name : never;
}[ReadingName];

export const READING_NAMES = Object.keys(GPU_READINGS) as ReadingName[];
export const LATEST_NAMES = READING_NAMES.filter(
  (name): name is LatestName => (GPU_READINGS[name] as Reading).isLatest === true,
);
