import type { GpuReadings } from '../../records/gpu-readings.ts';
import { isLostGpu } from './driver-errors.ts';
import { numberAt, type SmiElement, textAt, yesOrNoAt } from './smi-element.ts';
import { smiVerdicts } from './smi-verdicts.ts';

/** NVML clock event reasons by their element names (nvml.h). */
const THROTTLE_REASONS: Record<string, number> = {
  gpu_idle: 0x1,
  applications_clocks_setting: 0x2,
  sw_power_cap: 0x4,
  hw_slowdown: 0x8,
  sync_boost: 0x10,
  sw_thermal_slowdown: 0x20,
  hw_thermal_slowdown: 0x40,
  hw_power_brake_slowdown: 0x80,
  display_clocks_setting: 0x100,
};

/** Readings of a GPU that the driver has lost: only its health. */
export const LOST_GPU: GpuReadings = {
  source_health: 'critical',
  source_verdict: 'nvidia-smi reports the GPU as lost',
};

const CORRECTED_ERRORS = ['sram_correctable', 'dram_correctable'];
const UNCORRECTED_ERRORS = [
  'sram_uncorrectable',
  'sram_uncorrectable_parity',
  'sram_uncorrectable_secded',
  'dram_uncorrectable',
];

/** Reads the readings of a `gpu` element. */
export function smiReadings(gpu: SmiElement): GpuReadings {
  if (isLostGpu(gpu)) return LOST_GPU;
  // power_readings in version 11, gpu_power_readings in 12; later releases have two kinds of draw.
  const power = (name: string) => [
    ['gpu_power_readings', name],
    ['power_readings', name],
  ];
  return {
    utilization_pct: numberAt(gpu, '%', ['utilization', 'gpu_util']),
    ...memoryOf(gpu),
    temperature_c: numberAt(gpu, 'C', ['temperature', 'gpu_temp']),
    memory_temperature_c: numberAt(gpu, 'C', ['temperature', 'memory_temp']),
    power_draw_w: numberAt(
      gpu,
      'W',
      ...power('power_draw'),
      ...power('average_power_draw'),
      ...power('instant_power_draw'),
    ),
    power_limit_w: numberAt(
      gpu,
      'W',
      ...power('enforced_power_limit'),
      ...power('current_power_limit'),
      ...power('power_limit'),
    ),
    fan_pct: numberAt(gpu, '%', ['fan_speed']),
    sm_clock_mhz: numberAt(gpu, 'MHz', ['clocks', 'sm_clock']),
    memory_clock_mhz: numberAt(gpu, 'MHz', ['clocks', 'mem_clock']),
    throttle_reasons: throttleReasons(gpu),
    ecc_single_bit_total: errorCount(gpu, CORRECTED_ERRORS, 'single_bit'),
    ecc_double_bit_total: errorCount(gpu, UNCORRECTED_ERRORS, 'double_bit'),
    row_remap_failed: yesOrNoAt(gpu, 'remapped_rows', 'remapped_row_failure'),
    row_remap_pending: yesOrNoAt(gpu, 'remapped_rows', 'remapped_row_pending') ?? isRetirementPending(gpu),
    remapped_rows_total: numberAt(gpu, '', ['remapped_rows', 'remapped_row_unc']),
    pcie_replays_total: numberAt(gpu, '', ['pci', 'replay_counter']),
    pcie_tx_mb_per_second: megabytesPerSecond(gpu, 'tx_util'),
    pcie_rx_mb_per_second: megabytesPerSecond(gpu, 'rx_util'),
    ...smiVerdicts(gpu),
  };
}

/**
 * Returns whether pages of memory will be retired, null when unknown. Boards before Ampere retire pages instead of remapping rows.
 * Older drivers call the element pending_blacklist.
 */
function isRetirementPending(gpu: SmiElement): boolean | null {
  const name =
    textAt(gpu, 'retired_pages', 'pending_retirement') === undefined
      ? 'pending_blacklist'
      : 'pending_retirement';
  return yesOrNoAt(gpu, 'retired_pages', name);
}

function megabytesPerSecond(gpu: SmiElement, name: string): number | null {
  const kilobytes = numberAt(gpu, 'KB/s', ['pci', name]);
  return kilobytes === null ? null : kilobytes / 1_000;
}

/** Returns the sum of the counts by kind. Boards before Turing have one total for `bits` instead. Null when not reported. */
function errorCount(gpu: SmiElement, kinds: readonly string[], bits: string): number | null {
  const path = ['ecc_errors', 'volatile'];
  const counts = kinds.map((kind) => numberAt(gpu, '', [...path, kind])).filter((count) => count !== null);
  if (counts.length === 0) return numberAt(gpu, '', [...path, bits, 'total']);
  return counts.reduce((total, count) => total + count, 0);
}

/** Returns the mask of clocks_throttle_reason_… (version 11) or clocks_event_reason_… (version 12); null when not reported. */
function throttleReasons(gpu: SmiElement): number | null {
  const reasons = gpu.clocks_event_reasons ?? gpu.clocks_throttle_reasons;
  if (typeof reasons !== 'object' || Array.isArray(reasons)) return null;
  let mask: number | null = null;
  for (const [name, bit] of Object.entries(THROTTLE_REASONS)) {
    const state =
      textAt(reasons, `clocks_event_reason_${name}`) ?? textAt(reasons, `clocks_throttle_reason_${name}`);
    if (state !== undefined) mask = (mask ?? 0) | (state === 'Active' ? bit : 0);
  }
  return mask;
}

/** Returns the memory readings. A total of 0 MiB is unknown. If used memory exceeds the total, both are null. */
function memoryOf(gpu: SmiElement): Pick<GpuReadings, 'memory_used_mib' | 'memory_total_mib'> {
  const used = numberAt(gpu, 'MiB', ['fb_memory_usage', 'used']);
  const total = numberAt(gpu, 'MiB', ['fb_memory_usage', 'total']) || null;
  const isContradiction = used !== null && total !== null && used > total;
  return isContradiction
    ? { memory_used_mib: null, memory_total_mib: null }
    : { memory_used_mib: used, memory_total_mib: total };
}
