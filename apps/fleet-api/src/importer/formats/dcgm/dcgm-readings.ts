import { MAX_MEGABYTES_PER_SECOND, MAX_MILLIJOULES, MIN_MEMORY_MIB } from '../../records/limits.ts';
import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_RESERVED,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  UTILIZATION,
  UTILIZATION_RATIO,
} from '../exporters/exporter-field.ts';

/** The utilization of the board on a line of a MIG instance. */
export const UTILIZATION_OF_INSTANCE = 10_203;

const MAX = 1e9;
const percent = { min: 0, max: 100 };
const quantity = { min: 0, max: MAX };
const memoryTotal = { min: MIN_MEMORY_MIB, max: MAX };
const celsius = { min: -100, max: 300 };
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
const counter = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true } as const;

/** Fields of load, memory, temperature, power and clocks. */
export const DCGM_READINGS: readonly ExporterField[] = [
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
];

/** Fields of the inventory. */
export const DCGM_INVENTORY: readonly ExporterField[] = [
  { number: 67, names: ['DCGM_FI_DEV_MIG_MODE'], recordField: 'mig_enabled', ...quantity, whole: true },
  {
    number: 5,
    names: ['DCGM_FI_CUDA_DRIVER_VERSION'],
    recordField: 'compute_stack',
    min: 1_000,
    max: 999_999,
    whole: true,
  },
];
