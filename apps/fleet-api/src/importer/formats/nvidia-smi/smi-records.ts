import { MINUTE_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import type { GpuReadings } from '../../records/gpu-readings.ts';
import { recoveryActionIn, type SourceVerdict } from '../../../model/health/recovery-action.ts';
import { uniqueIdOf } from '../exporters/gpu-identity.ts';
import { addVerdict, FAULTS, verdictOn } from '../source-verdict.ts';
import {
  elementsAt,
  hasUuidError,
  isLostGpu,
  numberAt,
  requiresReset,
  type SmiElement,
  textAt,
} from './smi-element.ts';

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
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What the driver says about a GPU that it has lost. */
export const LOST_GPU: GpuReadings = {
  source_health: 'critical',
  source_verdict: 'nvidia-smi reports the GPU as lost',
};

interface SmiProcess {
  pid: number;
  name: string;
  memoryUsedMib: number | null;
}

/** One `gpu` element, converted to the fields of records. */
export interface SmiGpu {
  gpuId: string;
  /** Whether the driver states neither UUID nor serial number because of an error. */
  isUnidentified: boolean;
  pci: string;
  inventory: object;
  readings: GpuReadings;
  processes: SmiProcess[];
}

/** Parses `Fri Aug  4 11:44:30 2023`, in the local time of the host; null if it is not a time. */
export function smiTime(text: string | undefined, utcOffsetMinutes: number): Date | null {
  const [, month = '', day = '', clock = '', year = ''] =
    /^\w{3} (\w{3}) +(\d{1,2}) (\d{2}:\d{2}:\d{2}) (\d{4})$/.exec(text ?? '') ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  const instant = parseTimestamp(`${year}-${number}-${day.padStart(2, '0')}T${clock}Z`);
  return instant === null ? null : new Date(instant.getTime() - utcOffsetMinutes * MINUTE_MS);
}

/** Reads a GPU from XML of DTD version 11 or later. */
export function readSmiGpu(root: SmiElement, gpu: SmiElement, host: string): SmiGpu {
  const pci = textAt(gpu, 'pci', 'pci_bus_id') ?? textAt(gpu, '@id') ?? '';
  const uuid = textAt(gpu, 'uuid');
  const serial = textAt(gpu, 'serial');
  const uniqueId = uniqueIdOf({ uuid: uuid?.startsWith('GPU-') ? uuid : undefined, serial });
  const cuda = textAt(root, 'cuda_version');
  const inventory = {
    model: textAt(gpu, 'product_name'),
    compute_stack: cuda === undefined ? undefined : `CUDA ${cuda}`,
    driver_version: textAt(root, 'driver_version'),
    firmware_version: textAt(gpu, 'vbios_version'),
    pcie_address: pci,
    serial_no: serial,
    slowdown_temperature_c: numberAt(gpu, 'C', ['temperature', 'gpu_temp_slow_threshold']) ?? undefined,
    memory_temperature_limit_c:
      numberAt(gpu, 'C', ['temperature', 'gpu_temp_max_mem_threshold']) ?? undefined,
    shutdown_temperature_c: numberAt(gpu, 'C', ['temperature', 'gpu_temp_max_threshold']) ?? undefined,
  };
  const mig = textAt(gpu, 'mig_mode', 'current_mig');
  return {
    gpuId: uniqueId ?? `${host}|${pci}|`,
    isUnidentified: uniqueId === undefined && hasUuidError(gpu),
    pci,
    inventory: {
      vendor: 'NVIDIA',
      hostname: host,
      ...Object.fromEntries(Object.entries(inventory).filter(([, value]) => value !== undefined)),
      ...(mig === undefined ? {} : { mig_enabled: mig === 'Enabled' }),
    },
    readings: isLostGpu(gpu) ? LOST_GPU : readingsOf(gpu),
    processes: elementsAt((gpu.processes ?? {}) as SmiElement, 'process_info').flatMap(processOf),
  };
}

function readingsOf(gpu: SmiElement): GpuReadings {
  // power_readings in version 11, gpu_power_readings in 12; later releases have two kinds of draw.
  const power = (name: string) => [
    ['gpu_power_readings', name],
    ['power_readings', name],
  ];
  const volatileErrors = ['ecc_errors', 'volatile'];
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
    ecc_single_bit_total: errorCount(
      gpu,
      volatileErrors,
      ['sram_correctable', 'dram_correctable'],
      'single_bit',
    ),
    ecc_double_bit_total: errorCount(
      gpu,
      volatileErrors,
      ['sram_uncorrectable', 'sram_uncorrectable_parity', 'sram_uncorrectable_secded', 'dram_uncorrectable'],
      'double_bit',
    ),
    row_remap_failed: yesOrNo(textAt(gpu, 'remapped_rows', 'remapped_row_failure')),
    row_remap_pending:
      yesOrNo(textAt(gpu, 'remapped_rows', 'remapped_row_pending')) ??
      // Boards before Ampere retire pages.
      yesOrNo(
        textAt(gpu, 'retired_pages', 'pending_retirement') ??
          textAt(gpu, 'retired_pages', 'pending_blacklist'),
      ),
    remapped_rows_total: numberAt(gpu, '', ['remapped_rows', 'remapped_row_unc']),
    pcie_replays_total: numberAt(gpu, '', ['pci', 'replay_counter']),
    pcie_tx_mb_per_second: megabytesPerSecond(gpu, 'tx_util'),
    pcie_rx_mb_per_second: megabytesPerSecond(gpu, 'rx_util'),
    ...verdictsOf(gpu),
  };
}

/** Elements that say yes to a fault. */
const FAULT_FLAGS: [path: string[], fault: SourceVerdict][] = [
  [['gpu_reset_status', 'reset_required'], FAULTS.resetRequired],
  [['gpu_reset_status', 'drain_and_reset_recommended'], FAULTS.resetRecommended],
  [['ecc_errors', 'aggregate', 'sram_threshold_exceeded'], FAULTS.sramThresholdExceeded],
  [['ecc_errors', 'unrepairable_memory'], FAULTS.memoryUnrepairable],
  [
    ['ecc_errors', 'channel_repair_pending'],
    { health: 'degraded', text: 'the repair of a memory channel is pending' },
  ],
  [['ecc_errors', 'tpc_repair_pending'], { health: 'degraded', text: 'the repair of a TPC is pending' }],
];

function verdictsOf(gpu: SmiElement): Pick<GpuReadings, 'source_health' | 'source_verdict'> {
  const stated: GpuReadings = {};
  const action = textAt(gpu, 'gpu_recovery_action');
  if (action !== undefined) addVerdict(stated, recoveryActionIn(action));
  if (requiresReset(gpu)) addVerdict(stated, FAULTS.resetRequired);
  const fabric = textAt(gpu, 'fabric', 'health', 'summary');
  if (fabric !== undefined) addVerdict(stated, verdictOn(FAULTS.fabricUnhealthy, !/^healthy$/i.test(fabric)));
  for (const [path, fault] of FAULT_FLAGS) {
    const answer = yesOrNo(textAt(gpu, ...path));
    if (answer !== null) addVerdict(stated, verdictOn(fault, answer));
  }
  return stated;
}

function megabytesPerSecond(gpu: SmiElement, name: string): number | null {
  const kilobytes = numberAt(gpu, 'KB/s', ['pci', name]);
  return kilobytes === null ? null : kilobytes / 1_000;
}

/** Adds up error counts: by location, or by bits on boards before Turing. */
function errorCount(gpu: SmiElement, path: string[], kinds: string[], before: string): number | null {
  const counts = kinds.map((kind) => numberAt(gpu, '', [...path, kind])).filter((count) => count !== null);
  return counts.length === 0
    ? numberAt(gpu, '', [...path, before, 'total'])
    : counts.reduce((total, count) => total + count, 0);
}

/** Returns the mask of clocks_throttle_reason_… (version 11) or clocks_event_reason_… (version 12). */
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

/** A total of 0 MiB is unknown. Contradictory readings are both dropped. */
function memoryOf(gpu: SmiElement): Pick<GpuReadings, 'memory_used_mib' | 'memory_total_mib'> {
  const used = numberAt(gpu, 'MiB', ['fb_memory_usage', 'used']);
  const total = numberAt(gpu, 'MiB', ['fb_memory_usage', 'total']) || null;
  const isContradiction = used !== null && total !== null && used > total;
  return isContradiction
    ? { memory_used_mib: null, memory_total_mib: null }
    : { memory_used_mib: used, memory_total_mib: total };
}

function yesOrNo(text: string | undefined): boolean | null {
  return text === 'Yes' ? true : text === 'No' ? false : null;
}

function processOf(process: SmiElement): SmiProcess[] {
  const pid = numberAt(process, '', ['pid']);
  if (pid === null) return [];
  return [
    {
      pid,
      name: textAt(process, 'process_name') ?? '',
      memoryUsedMib: numberAt(process, 'MiB', ['used_memory']),
    },
  ];
}
