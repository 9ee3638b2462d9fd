import type { HealthRule, HealthSignal } from './health-signal.ts';
import type { HealthState } from './health-state.ts';

const MIN_THROTTLE_ONSETS = 6;
const SHUTDOWN_MARGIN_CELSIUS = 3;

/** Readings that health rules use; null or absent: not measured. */
export interface HealthReadings {
  temperature_c?: number | null;
  memory_temperature_c?: number | null;
  /** DCGM field 230: the last code, 0 for none since the driver was loaded. */
  xid_last_code?: number | null;
  /** DCGM field 112: a bit mask. */
  throttle_reasons?: number | null;
  ecc_double_bit_total?: number | null;
  row_remap_failed?: boolean | null;
  row_remap_pending?: boolean | null;
  remapped_rows_total?: number | null;
  nvlink_errors_total?: number | null;
  pcie_replays_total?: number | null;
  /** Health that the source states, and its words. */
  source_health?: string | null;
  source_verdict?: string | null;
}

/** Properties of the board that readings are compared with. */
export interface BoardLimits {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
  /** Maximum operating temperature of the memory. */
  memoryTemperatureLimitC?: number | null;
  reportIntervalSeconds: number;
}

/** A sample beside the one before it. Growth is null when one of the two totals is unknown. */
export interface SampleComparison {
  readings: HealthReadings;
  limits: BoardLimits;
  doubleBitErrors: number | null;
  nvlinkErrors: number | null;
  pcieReplays: number | null;
  remappedRows: number | null;
  /** Throttling onsets of the last 10 minutes. */
  throttleOnsets: number;
}

/** A rule of docs/gpu-health.md. */
interface SampleRule {
  rule: HealthRule;
  health: HealthSignal['health'];
  /** Null when the sample lacks the reading. */
  applies(sample: SampleComparison): boolean | null;
  /** Called only for a rule that applies. */
  evidence(sample: SampleComparison): string;
}

export const SAMPLE_RULES: readonly SampleRule[] = [
  {
    rule: 'source_verdict',
    health: 'critical',
    applies: ({ readings }) => isReported(readings, 'critical'),
    evidence: ({ readings }) => reportedBy(readings, 'critical'),
  },
  {
    rule: 'source_verdict',
    health: 'degraded',
    applies: ({ readings }) => isReported(readings, 'degraded'),
    evidence: ({ readings }) => reportedBy(readings, 'degraded'),
  },
  {
    rule: 'ecc_double_bit',
    health: 'critical',
    applies: ({ doubleBitErrors }) => isPositive(doubleBitErrors),
    evidence: ({ doubleBitErrors }) => `${doubleBitErrors} new double-bit ECC errors`,
  },
  {
    rule: 'row_remap_failed',
    health: 'critical',
    applies: ({ readings }) => readings.row_remap_failed ?? null,
    evidence: () => 'a row could not be remapped',
  },
  {
    rule: 'temperature_near_shutdown',
    health: 'critical',
    applies: ({ readings, limits: { shutdownTemperatureC: shutdown } }) =>
      atLeast(readings.temperature_c, shutdown === null ? null : shutdown - SHUTDOWN_MARGIN_CELSIUS),
    evidence: ({ readings, limits }) =>
      `${readings.temperature_c} °C; the board shuts down at ${limits.shutdownTemperatureC} °C`,
  },
  {
    rule: 'row_remap_pending',
    health: 'degraded',
    applies: ({ readings }) => readings.row_remap_pending ?? null,
    evidence: () => 'the next reset will remap a row or retire a page',
  },
  {
    rule: 'throttling',
    health: 'degraded',
    // Earlier onsets count even if this sample lacks the reading.
    applies: ({ readings, throttleOnsets }) =>
      throttleOnsets >= MIN_THROTTLE_ONSETS || (readings.throttle_reasons == null ? null : false),
    evidence: ({ throttleOnsets }) => `throttled ${throttleOnsets} times in 10 minutes`,
  },
  {
    rule: 'nvlink_errors',
    health: 'degraded',
    applies: ({ nvlinkErrors }) => isPositive(nvlinkErrors),
    evidence: ({ nvlinkErrors }) => `${nvlinkErrors} new NVLink errors`,
  },
  {
    rule: 'pcie_replays',
    health: 'degraded',
    applies: ({ pcieReplays }) => isPositive(pcieReplays),
    evidence: ({ pcieReplays }) => `${pcieReplays} new PCIe replays`,
  },
  {
    rule: 'rows_remapped',
    health: 'degraded',
    applies: ({ remappedRows }) => isPositive(remappedRows),
    evidence: ({ remappedRows }) => `${remappedRows} rows remapped after uncorrectable errors`,
  },
  {
    rule: 'memory_temperature',
    health: 'degraded',
    applies: ({ readings, limits }) =>
      atLeast(readings.memory_temperature_c, limits.memoryTemperatureLimitC ?? null),
    evidence: ({ readings, limits }) =>
      `memory at ${readings.memory_temperature_c} °C; its maximum is ${limits.memoryTemperatureLimitC} °C`,
  },
  {
    rule: 'temperature_slowdown',
    health: 'degraded',
    applies: ({ readings, limits }) => atLeast(readings.temperature_c, limits.slowdownTemperatureC),
    evidence: ({ readings, limits }) =>
      `${readings.temperature_c} °C; the board slows down at ${limits.slowdownTemperatureC} °C`,
  },
];

/**
 * Compares a sample with the one before.
 *
 * @param before state after the sample before
 * @param now state after this sample
 */
export function compareSamples(
  before: HealthState,
  now: HealthState,
  readings: HealthReadings,
  limits: BoardLimits,
): SampleComparison {
  return {
    readings,
    limits,
    doubleBitErrors: growth(before.eccDoubleBitTotal, readings.ecc_double_bit_total),
    nvlinkErrors: growth(before.nvlinkErrorsTotal, readings.nvlink_errors_total),
    pcieReplays: growth(before.pcieReplaysTotal, readings.pcie_replays_total),
    remappedRows: growth(before.remappedRowsTotal, readings.remapped_rows_total),
    throttleOnsets: now.throttleOnsets?.length ?? 0,
  };
}

/** Returns the growth of a counter, or null when a value is unknown. A counter that fell was reset and did not grow. */
function growth(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined || now == null ? null : Math.max(0, now - before);
}

function isPositive(growth: number | null): boolean | null {
  return growth === null ? null : growth > 0;
}

function atLeast(value: number | null | undefined, limit: number | null): boolean | null {
  return value == null || limit === null ? null : value >= limit;
}

function isReported({ source_health: reported }: HealthReadings, health: string): boolean | null {
  return reported == null ? null : reported === health;
}

function reportedBy({ source_verdict: words }: HealthReadings, health: string): string {
  return words ?? `the source reports the GPU as ${health}`;
}
