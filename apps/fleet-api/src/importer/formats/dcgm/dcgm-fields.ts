import {
  MAX_MEGABYTES_PER_SECOND,
  MAX_MILLIJOULES,
  MAX_SUMMED_COUNTER,
  MIN_MEMORY_MIB,
} from '../../records/limits.ts';
import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_RESERVED,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  UTILIZATION,
  UTILIZATION_RATIO,
  XID,
} from '../exporters/exporter-field.ts';
import type { Labels } from '../exporters/prometheus-line.ts';
import { DCGM_VERDICTS, healthCheckOf } from './dcgm-verdicts.ts';

/** The utilization of the board on a line of a MIG instance. */
const UTILIZATION_OF_INSTANCE = 10_203;
/** The codes of the last minutes, which dcgm-exporter counts. */
const XID_WINDOW = 10_230;

const MAX = 1e9;
const MAX_COUNTER = Number.MAX_SAFE_INTEGER;
const percent = { min: 0, max: 100 };
const quantity = { min: 0, max: MAX };
const memoryTotal = { min: MIN_MEMORY_MIB, max: MAX };
const celsius = { min: -100, max: 300 };
const counter = { min: 0, max: MAX_COUNTER, whole: true } as const;
const summedCounter = { ...counter, max: MAX_SUMMED_COUNTER } as const;
/** A share of time or cycles, stored as percent. */
const ratio = { min: 0, max: 1, scale: 100, instances: 'by slices' } as const;
const bytesPerSecond = {
  min: 0,
  max: 1e6 * MAX_MEGABYTES_PER_SECOND,
  scale: 1e-6,
  instances: 'add up',
} as const;
/** Stored as MHz. */
const hertz = { min: 0, max: 1e15, scale: 1e-6 } as const;
const JOULES_TO_MILLIJOULES = 1_000;
const flag = { min: 0, max: MAX, whole: true } as const;

/** Error counters of NVLink 5, where those before do not exist (https://docs.nvidia.com/datacenter/dcgm/latest/dcgm-api/). */
const NVLINK_5_ERRORS: readonly [number, string, string][] = [
  [
    1204,
    'DCGM_FI_DEV_NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS',
    'DCGM_FI_DEV_NVLINK_RX_PACKET_MALFORMED_TOTAL',
  ],
  [1205, 'DCGM_FI_DEV_NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_PACKET_DROPPED_TOTAL'],
  [1206, 'DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_ERROR_TOTAL'],
  [1207, 'DCGM_FI_DEV_NVLINK_COUNT_RX_REMOTE_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_REMOTE_ERROR_TOTAL'],
  [1208, 'DCGM_FI_DEV_NVLINK_COUNT_RX_GENERAL_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_GENERAL_ERROR_TOTAL'],
  [1209, 'DCGM_FI_DEV_NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS', 'DCGM_FI_DEV_NVLINK_INTEGRITY_ERROR_TOTAL'],
  [1210, 'DCGM_FI_DEV_NVLINK_COUNT_TX_DISCARDS', 'DCGM_FI_DEV_NVLINK_TX_DISCARD_TOTAL'],
  [1212, 'DCGM_FI_DEV_NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS', 'DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL'],
  [1214, 'DCGM_FI_DEV_NVLINK_COUNT_RX_SYMBOL_ERRORS', 'DCGM_FI_DEV_NVLINK_RX_SYMBOL_ERROR_TOTAL'],
  [1219, 'DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_ERRORS', 'DCGM_FI_DEV_NVLINK_EFFECTIVE_ERROR_TOTAL'],
];

/** DCGM fields (dcgm_fields.h of DCGM 2 to 4) and the fields they are stored in. */
export const DCGM_FIELDS: readonly ExporterField[] = [
  { number: UTILIZATION, names: ['DCGM_FI_DEV_GPU_UTIL'], recordField: 'utilization_pct', ...percent },
  {
    // A percentage where it is the new name of 203, a fraction where it is 1613: see exporter-value.ts.
    number: UTILIZATION_RATIO,
    names: ['DCGM_FI_DEV_GPU_UTIL_RATIO'],
    recordField: 'utilization_pct',
    fallbackFor: UTILIZATION,
    ...percent,
  },
  {
    number: 1001,
    names: ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO'],
    recordField: 'utilization_pct',
    ...ratio,
    fallbackFor: UTILIZATION,
  },
  {
    // The board's field on the line of an instance: 0 whatever the instance does.
    number: UTILIZATION_OF_INSTANCE,
    names: ['DCGM_FI_DEV_GPU_UTIL (MIG)'],
    recordField: 'utilization_pct',
    ...percent,
    fallbackFor: UTILIZATION,
    instances: 'largest',
  },
  {
    number: 1004,
    names: ['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 'DCGM_FI_PROF_TENSOR_UTIL_RATIO'],
    recordField: 'tensor_active_pct',
    ...ratio,
  },
  {
    number: 1005,
    names: ['DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_PROF_DRAM_UTIL_RATIO'],
    recordField: 'dram_active_pct',
    ...ratio,
  },
  // Rates, also where an older counter set declares them as counters.
  {
    number: 1009,
    names: ['DCGM_FI_PROF_PCIE_TX_BYTES'],
    recordField: 'pcie_tx_mb_per_second',
    ...bytesPerSecond,
  },
  {
    number: 1010,
    names: ['DCGM_FI_PROF_PCIE_RX_BYTES'],
    recordField: 'pcie_rx_mb_per_second',
    ...bytesPerSecond,
  },
  {
    number: FRAMEBUFFER_USED,
    names: ['DCGM_FI_DEV_FB_USED'],
    recordField: 'memory_used_mib',
    ...quantity,
    instances: 'add up',
  },
  {
    number: FRAMEBUFFER_TOTAL,
    names: ['DCGM_FI_DEV_FB_TOTAL'],
    recordField: 'memory_total_mib',
    ...memoryTotal,
    instances: 'not of the board',
  },
  {
    number: FRAMEBUFFER_FREE,
    names: ['DCGM_FI_DEV_FB_FREE'],
    recordField: 'memory_total_mib',
    ...quantity,
    fallbackFor: FRAMEBUFFER_TOTAL,
    instances: 'not of the board',
  },
  {
    // A part of the total, in addition to free and used memory.
    number: FRAMEBUFFER_RESERVED,
    names: ['DCGM_FI_DEV_FB_RESERVED'],
    recordField: 'memory_total_mib',
    ...quantity,
    fallbackFor: FRAMEBUFFER_TOTAL,
    instances: 'not of the board',
  },
  {
    number: 150,
    names: ['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_GPU_TEMP_CELSIUS'],
    recordField: 'temperature_c',
    ...celsius,
  },
  {
    number: 140,
    names: ['DCGM_FI_DEV_MEMORY_TEMP', 'DCGM_FI_DEV_MEMORY_TEMP_CELSIUS'],
    recordField: 'memory_temperature_c',
    ...celsius,
    // Of boards without this sensor.
    zero: 'blank',
  },
  {
    number: 151,
    names: ['DCGM_FI_DEV_MEM_MAX_OP_TEMP', 'DCGM_FI_DEV_MEMORY_MAX_OP_TEMP_CELSIUS'],
    recordField: 'memory_temperature_limit_c',
    ...celsius,
  },
  {
    number: 158,
    names: ['DCGM_FI_DEV_SLOWDOWN_TEMP', 'DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS'],
    recordField: 'slowdown_temperature_c',
    ...celsius,
  },
  {
    number: 159,
    names: ['DCGM_FI_DEV_SHUTDOWN_TEMP', 'DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS'],
    recordField: 'shutdown_temperature_c',
    ...celsius,
  },
  {
    number: 155,
    names: ['DCGM_FI_DEV_POWER_USAGE', 'DCGM_FI_DEV_BOARD_POWER_WATTS'],
    recordField: 'power_draw_w',
    ...quantity,
  },
  {
    number: 157,
    names: ['DCGM_FI_DEV_POWER_USAGE_INSTANT', 'DCGM_FI_DEV_BOARD_POWER_RAW_WATTS'],
    recordField: 'power_draw_w',
    ...quantity,
    fallbackFor: 155,
  },
  {
    number: 156,
    names: ['DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION'],
    recordField: 'energy_millijoules_total',
    ...counter,
    max: MAX_MILLIJOULES,
  },
  {
    number: 1611,
    names: ['DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL'],
    recordField: 'energy_millijoules_total',
    ...counter,
    max: MAX_MILLIJOULES / JOULES_TO_MILLIJOULES,
    scale: JOULES_TO_MILLIJOULES,
    fallbackFor: 156,
  },
  {
    number: 164,
    names: ['DCGM_FI_DEV_ENFORCED_POWER_LIMIT', 'DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS'],
    recordField: 'power_limit_w',
    ...quantity,
  },
  {
    number: 160,
    names: ['DCGM_FI_DEV_POWER_MGMT_LIMIT', 'DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS'],
    recordField: 'power_limit_w',
    ...quantity,
    fallbackFor: 164,
  },
  // A fan may exceed 100 % (NVML, nvmlDeviceGetFanSpeed).
  { number: 191, names: ['DCGM_FI_DEV_FAN_SPEED'], recordField: 'fan_pct', min: 0, max: 200 },
  {
    number: 1612,
    names: ['DCGM_FI_DEV_FAN_SPEED_RATIO'],
    recordField: 'fan_pct',
    min: 0,
    max: 2,
    scale: 100,
    fallbackFor: 191,
  },
  { number: 100, names: ['DCGM_FI_DEV_SM_CLOCK'], recordField: 'sm_clock_mhz', ...quantity },
  { number: 101, names: ['DCGM_FI_DEV_MEM_CLOCK'], recordField: 'memory_clock_mhz', ...quantity },
  {
    number: 1603,
    names: ['DCGM_FI_DEV_SM_CLOCK_HERTZ'],
    recordField: 'sm_clock_mhz',
    ...hertz,
    fallbackFor: 100,
  },
  {
    number: 1604,
    names: ['DCGM_FI_DEV_MEMORY_CLOCK_HERTZ'],
    recordField: 'memory_clock_mhz',
    ...hertz,
    fallbackFor: 101,
  },
  {
    number: XID,
    names: ['DCGM_FI_DEV_XID_ERRORS', 'DCGM_FI_DEV_XID_ERROR'],
    recordField: 'xid_last_code',
    min: 0,
    max: 100_000,
    whole: true,
  },
  {
    // A line for each code of the last minutes; for a GPU without one, a line without a code.
    number: XID_WINDOW,
    names: ['DCGM_EXP_XID_ERRORS_COUNT'],
    recordField: 'xid_last_code',
    min: 1,
    max: 100_000,
    whole: true,
    instances: 'worst XID',
    // A count without a valid code is rejected.
    readLine: ({ value, labels }) => (value > 0 ? Number(labels.xid) || 0 : null),
  },
  {
    number: 112,
    names: ['DCGM_FI_DEV_CLOCK_THROTTLE_REASONS', 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS'],
    recordField: 'throttle_reasons',
    ...counter,
  },
  {
    number: 310,
    names: ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL'],
    recordField: 'ecc_single_bit_total',
    ...summedCounter,
  },
  {
    number: 311,
    names: ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL'],
    recordField: 'ecc_double_bit_total',
    ...summedCounter,
  },
  {
    number: 393,
    names: ['DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS', 'DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL'],
    recordField: 'remapped_rows_total',
    ...counter,
  },
  {
    number: 395,
    names: ['DCGM_FI_DEV_ROW_REMAP_FAILURE', 'DCGM_FI_DEV_ROW_REMAP_FAILED'],
    recordField: 'row_remap_failed',
    ...flag,
  },
  { number: 396, names: ['DCGM_FI_DEV_ROW_REMAP_PENDING'], recordField: 'row_remap_pending', ...flag },
  {
    // Boards before Ampere retire pages.
    number: 392,
    names: ['DCGM_FI_DEV_RETIRED_PENDING', 'DCGM_FI_DEV_PAGE_RETIRED_PENDING'],
    recordField: 'row_remap_pending',
    ...flag,
    fallbackFor: 396,
  },
  {
    number: 409,
    names: ['DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 497,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_CRC', 'DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 409,
  },
  {
    number: 429,
    names: ['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 499,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY', 'DCGM_FI_DEV_NVLINK_REPLAY_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 429,
  },
  {
    number: 439,
    names: ['DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL', 'DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
  },
  {
    number: 498,
    names: ['DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY', 'DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL'],
    recordField: 'nvlink_errors_total',
    ...counter,
    fallbackFor: 439,
  },
  ...NVLINK_5_ERRORS.map(([number, ...names]): ExporterField => ({
    number,
    names,
    recordField: 'nvlink_errors_total',
    ...counter,
  })),
  {
    number: 202,
    names: ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 'DCGM_FI_DEV_PCIE_REPLAY_TOTAL'],
    recordField: 'pcie_replays_total',
    ...counter,
  },
  { number: 67, names: ['DCGM_FI_DEV_MIG_MODE'], recordField: 'mig_enabled', ...flag },
  {
    number: 5,
    names: ['DCGM_FI_CUDA_DRIVER_VERSION'],
    recordField: 'compute_stack',
    min: 1_000,
    max: 999_999,
    whole: true,
  },
  ...DCGM_VERDICTS,
];

export const FIELD_BY_NUMBER = new Map(DCGM_FIELDS.map((field) => [field.number, field]));
/** Names of dcgm-exporter 1, which version 4 still has as 1.x-compatibility-metrics.csv. */
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
  ...DCGM_FIELDS.flatMap((field) => field.names.map((name) => [name, field] as const)),
  ...Object.entries(VERSION_1_NAMES).map(
    ([name, number]) => [name, FIELD_BY_NUMBER.get(number) as ExporterField] as const,
  ),
]);

/** Returns the field of a line, which for some series its labels decide; undefined if it has none. */
export function dcgmFieldOf(series: string, labels: Labels): ExporterField | undefined {
  const field = FIELD_BY_NAME.get(series);
  if (field === undefined) return healthCheckOf(series, labels);
  if (!labels.GPU_I_ID) return field;
  // A percentage or a fraction, and the board's: nothing that an instance states.
  if (field.number === UTILIZATION_RATIO) return undefined;
  return field.number === UTILIZATION ? FIELD_BY_NUMBER.get(UTILIZATION_OF_INSTANCE) : field;
}
