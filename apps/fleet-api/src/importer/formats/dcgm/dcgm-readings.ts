import { MAX_MEGABYTES_PER_SECOND, MAX_MILLIJOULES, MIN_MEMORY_MIB } from '../../records/limits.ts';
import {
  type ExporterField,
  field,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_RESERVED,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  UTILIZATION,
  UTILIZATION_RATIO,
} from '../exporters/exporter-field.ts';

/** Internal number of `DCGM_FI_DEV_GPU_UTIL` on the line of a MIG instance. */
export const UTILIZATION_OF_INSTANCE = 10_203;

const MAX = 1e9;
const percent = { min: 0, max: 100 };
const quantity = { min: 0, max: MAX };
const memoryTotal = { min: MIN_MEMORY_MIB, max: MAX };
const celsius = { min: -100, max: 300 };
/** Share of time or cycles, stored as percent. */
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
  field(UTILIZATION, 'utilization_pct', percent, ['DCGM_FI_DEV_GPU_UTIL']),
  // A percentage in releases that renamed field 203, a ratio in those with field 1613: see exporter-value.ts.
  field(UTILIZATION_RATIO, 'utilization_pct', { fallbackFor: UTILIZATION, ...percent }, [
    'DCGM_FI_DEV_GPU_UTIL_RATIO',
  ]),
  field(1001, 'utilization_pct', { ...ratio, fallbackFor: UTILIZATION }, [
    'DCGM_FI_PROF_GR_ENGINE_ACTIVE',
    'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO',
  ]),
  // On the line of an instance the exporter repeats the field of the board: 0, whatever the load of the instance.
  field(
    UTILIZATION_OF_INSTANCE,
    'utilization_pct',
    { ...percent, fallbackFor: UTILIZATION, instances: 'largest' },
    ['DCGM_FI_DEV_GPU_UTIL (MIG)'],
  ),
  field(1004, 'tensor_active_pct', ratio, [
    'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE',
    'DCGM_FI_PROF_TENSOR_UTIL_RATIO',
  ]),
  field(1005, 'dram_active_pct', ratio, ['DCGM_FI_PROF_DRAM_ACTIVE', 'DCGM_FI_PROF_DRAM_UTIL_RATIO']),
  // These are rates, although an older counter set declares them as counters.
  field(1009, 'pcie_tx_mb_per_second', bytesPerSecond, ['DCGM_FI_PROF_PCIE_TX_BYTES']),
  field(1010, 'pcie_rx_mb_per_second', bytesPerSecond, ['DCGM_FI_PROF_PCIE_RX_BYTES']),
  field(FRAMEBUFFER_USED, 'memory_used_mib', { ...quantity, instances: 'add up' }, ['DCGM_FI_DEV_FB_USED']),
  field(FRAMEBUFFER_TOTAL, 'memory_total_mib', { ...memoryTotal, instances: 'not of the board' }, [
    'DCGM_FI_DEV_FB_TOTAL',
  ]),
  field(
    FRAMEBUFFER_FREE,
    'memory_total_mib',
    { ...quantity, fallbackFor: FRAMEBUFFER_TOTAL, instances: 'not of the board' },
    ['DCGM_FI_DEV_FB_FREE'],
  ),
  // Reserved memory is part of the total, in addition to free and used memory.
  field(
    FRAMEBUFFER_RESERVED,
    'memory_total_mib',
    { ...quantity, fallbackFor: FRAMEBUFFER_TOTAL, instances: 'not of the board' },
    ['DCGM_FI_DEV_FB_RESERVED'],
  ),
  field(150, 'temperature_c', celsius, ['DCGM_FI_DEV_GPU_TEMP', 'DCGM_FI_DEV_GPU_TEMP_CELSIUS']),
  field(
    140,
    'memory_temperature_c',
    {
      ...celsius,
      // Boards without this sensor report 0.
      zero: 'blank',
    },
    ['DCGM_FI_DEV_MEMORY_TEMP', 'DCGM_FI_DEV_MEMORY_TEMP_CELSIUS'],
  ),
  field(151, 'memory_temperature_limit_c', celsius, [
    'DCGM_FI_DEV_MEM_MAX_OP_TEMP',
    'DCGM_FI_DEV_MEMORY_MAX_OP_TEMP_CELSIUS',
  ]),
  field(158, 'slowdown_temperature_c', celsius, [
    'DCGM_FI_DEV_SLOWDOWN_TEMP',
    'DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS',
  ]),
  field(159, 'shutdown_temperature_c', celsius, [
    'DCGM_FI_DEV_SHUTDOWN_TEMP',
    'DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS',
  ]),
  field(155, 'power_draw_w', quantity, ['DCGM_FI_DEV_POWER_USAGE', 'DCGM_FI_DEV_BOARD_POWER_WATTS']),
  field(157, 'power_draw_w', { ...quantity, fallbackFor: 155 }, [
    'DCGM_FI_DEV_POWER_USAGE_INSTANT',
    'DCGM_FI_DEV_BOARD_POWER_RAW_WATTS',
  ]),
  field(156, 'energy_millijoules_total', { ...counter, max: MAX_MILLIJOULES }, [
    'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION',
  ]),
  field(
    1611,
    'energy_millijoules_total',
    {
      ...counter,
      max: MAX_MILLIJOULES / JOULES_TO_MILLIJOULES,
      scale: JOULES_TO_MILLIJOULES,
      fallbackFor: 156,
    },
    ['DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL'],
  ),
  field(164, 'power_limit_w', quantity, [
    'DCGM_FI_DEV_ENFORCED_POWER_LIMIT',
    'DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS',
  ]),
  field(160, 'power_limit_w', { ...quantity, fallbackFor: 164 }, [
    'DCGM_FI_DEV_POWER_MGMT_LIMIT',
    'DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS',
  ]),
  // A fan may exceed 100 % (NVML, nvmlDeviceGetFanSpeed).
  field(191, 'fan_pct', { min: 0, max: 200 }, ['DCGM_FI_DEV_FAN_SPEED']),
  field(1612, 'fan_pct', { min: 0, max: 2, scale: 100, fallbackFor: 191 }, ['DCGM_FI_DEV_FAN_SPEED_RATIO']),
  field(100, 'sm_clock_mhz', quantity, ['DCGM_FI_DEV_SM_CLOCK']),
  field(101, 'memory_clock_mhz', quantity, ['DCGM_FI_DEV_MEM_CLOCK']),
  field(1603, 'sm_clock_mhz', { ...hertz, fallbackFor: 100 }, ['DCGM_FI_DEV_SM_CLOCK_HERTZ']),
  field(1604, 'memory_clock_mhz', { ...hertz, fallbackFor: 101 }, ['DCGM_FI_DEV_MEMORY_CLOCK_HERTZ']),
];

/** Fields that are stored in the inventory. */
export const DCGM_INVENTORY: readonly ExporterField[] = [
  field(67, 'mig_enabled', { ...quantity, whole: true }, ['DCGM_FI_DEV_MIG_MODE']),
  field(5, 'compute_stack', { min: 1_000, max: 999_999, whole: true }, ['DCGM_FI_CUDA_DRIVER_VERSION']),
];
