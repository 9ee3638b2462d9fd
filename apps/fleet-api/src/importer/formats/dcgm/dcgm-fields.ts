import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_USED,
  UTILIZATION,
  UTILIZATION_RATIO,
  XID,
} from '../exporters/exporter-field.ts';
import { fieldsByName, fieldsByNumber } from '../exporters/exporter-format.ts';
import type { Labels } from '../exporters/labels.ts';
import { DCGM_FAULTS } from './dcgm-faults.ts';
import { DCGM_INVENTORY, DCGM_READINGS, UTILIZATION_OF_INSTANCE } from './dcgm-readings.ts';
import { DCGM_VERDICTS, healthCheckFieldOf } from './dcgm-verdicts.ts';

/** DCGM fields (dcgm_fields.h of DCGM 2 to 4) and the record fields that store them. */
export const DCGM_FIELDS: readonly ExporterField[] = [
  ...DCGM_READINGS,
  ...DCGM_FAULTS,
  ...DCGM_INVENTORY,
  ...DCGM_VERDICTS,
];

export const FIELD_BY_NUMBER = fieldsByNumber(DCGM_FIELDS);
/** Field numbers by metric name of dcgm-exporter 1. Version 4 still has these names in 1.x-compatibility-metrics.csv. */
const VERSION_1_NAMES: Record<string, number> = {
  dcgm_sm_clock: 100,
  dcgm_memory_clock: 101,
  dcgm_memory_temp: 140,
  dcgm_gpu_temp: 150,
  dcgm_power_usage: 155,
  dcgm_pcie_replay_counter: 202,
  dcgm_gpu_utilization: UTILIZATION,
  dcgm_xid_errors: XID,
  dcgm_fb_free: FRAMEBUFFER_FREE,
  dcgm_fb_used: FRAMEBUFFER_USED,
  dcgm_retired_pages_pending: 392,
  dcgm_row_remap_failure: 395,
  dcgm_uncorrectable_remapped_rows: 393,
  dcgm_ecc_sbe_volatile_total: 310,
  dcgm_ecc_dbe_volatile_total: 311,
  dcgm_nvlink_flit_crc_error_count_total: 409,
  dcgm_nvlink_replay_error_count_total: 429,
  dcgm_nvlink_recovery_error_count_total: 439,
  dcgm_fi_prof_gr_engine_active: 1001,
  dcgm_fi_prof_pipe_tensor_active: 1004,
  dcgm_fi_prof_dram_active: 1005,
  dcgm_fi_prof_pcie_tx_bytes: 1009,
  dcgm_fi_prof_pcie_rx_bytes: 1010,
  dcgm_total_energy_consumption: 156,
};
export const FIELD_BY_NAME = new Map<string, ExporterField>([
  ...fieldsByName(DCGM_FIELDS),
  ...Object.entries(VERSION_1_NAMES).map(
    ([name, number]) => [name, FIELD_BY_NUMBER.get(number) as ExporterField] as const,
  ),
]);

/** Returns the field of a line, undefined if it has none. Health checks and lines of MIG instances also depend on the labels. */
export function dcgmFieldOf(series: string, labels: Labels): ExporterField | undefined {
  const field = FIELD_BY_NAME.get(series);
  if (field === undefined) return healthCheckFieldOf(series, labels);
  const isInstanceLine = Boolean(labels.GPU_I_ID);
  // On the line of an instance, both series have the utilization of the board.
  if (isInstanceLine && field.number === UTILIZATION) return FIELD_BY_NUMBER.get(UTILIZATION_OF_INSTANCE);
  if (isInstanceLine && field.number === UTILIZATION_RATIO) return undefined;
  return field;
}
