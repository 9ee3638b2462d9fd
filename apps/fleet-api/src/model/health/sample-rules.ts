import type { HealthRule, HealthSignal } from './health-signal.ts';
import type { HealthState } from './health-state.ts';

/** Number of throttling onsets within 10 minutes from which `throttling` applies. */
const MIN_THROTTLE_ONSETS = 6;
/** Difference to the shutdown temperature from which `temperature_near_shutdown` applies. */
const SHUTDOWN_MARGIN_CELSIUS = 3;

/** Readings that health rules use; null or absent when not measured. */
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
  /** Health that the source reports, and its reason in words. */
  source_health?: string | null;
  source_verdict?: string | null;
}

/** Properties of the board that readings are compared with; null when unknown. */
export interface BoardLimits {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
  /** Maximum operating temperature of the memory. */
  memoryTemperatureLimitC?: number | null;
  reportIntervalSeconds: number;
}

/** A sample compared with the previous one. */
interface SampleComparison {
  readings: HealthReadings;
  limits: BoardLimits;
  // Growth of counters; null when one of the two totals is unknown.
  doubleBitErrors: number | null;
  nvlinkErrors: number | null;
  pcieReplays: number | null;
  remappedRows: number | null;
  /** Number of throttling onsets in the last 10 minutes. */
  throttleOnsets: number;
}

/** A rule of docs/gpu-health.md. */
interface SampleRule {
  rule: HealthRule;
  health: HealthSignal['health'];
  /** Returns null when the sample lacks the reading. */
  applies(sample: SampleComparison): boolean | null;
  /** Returns the evidence of a rule that applies. */
  evidence(sample: SampleComparison): string;
}

/** Rules for the readings of a sample. */
export const SAMPLE_RULES: readonly SampleRule[] = [
  {
    rule: 'source_verdict',
    health: 'critical',
    applies: ({ readings }) => sourceReports(readings, 'critical'),
    evidence: ({ readings }) => sourceEvidence(readings, 'critical'),
  },
  {
    rule: 'source_verdict',
    health: 'degraded',
    applies: ({ readings }) => sourceReports(readings, 'degraded'),
    evidence: ({ readings }) => sourceEvidence(readings, 'degraded'),
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
 * Compares a sample with the previous one.
 *
 * @param before state after the previous sample
 * @param now state after this sample; only its throttling onsets are used
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

/** Returns null when the increase of a counter is unknown. */
function isPositive(increase: number | null): boolean | null {
  return increase === null ? null : increase > 0;
}

/** Returns null when the value or the limit is unknown. */
function atLeast(value: number | null | undefined, limit: number | null): boolean | null {
  return value == null || limit === null ? null : value >= limit;
}

/** Returns whether the source reports this health; null when it reports none. */
function sourceReports({ source_health: reported }: HealthReadings, health: string): boolean | null {
  return reported == null ? null : reported === health;
}

function sourceEvidence({ source_verdict: verdict }: HealthReadings, health: string): string {
  return verdict ?? `the source reports the GPU as ${health}`;
}
