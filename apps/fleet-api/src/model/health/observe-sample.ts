import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import {
  addMs,
  endSignal,
  type HealthRule,
  type HealthSignal,
  mergeSignal,
  RECOVERY_MS,
} from './health-signal.ts';
import type { HealthState } from './health-state.ts';
import { MISSED_REPORTS } from './missing-data-timeout.ts';
import { observeReset, observeXid } from './observe-xid.ts';
import { throttlingBegan } from './throttle-reasons.ts';
import type { XidCatalog } from './xid-catalog.ts';
import { gaugeReachMs } from './xid-incident.ts';

const THROTTLE_WINDOW_MS = 10 * MINUTE_MS;
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

/** Readings at a time. */
export interface HealthSample extends HealthReadings {
  at: string;
}

export interface GpuHealthState {
  state: HealthState;
  signals: HealthSignal[];
}

/** Properties of the board that readings are compared with. */
export interface BoardLimits {
  slowdownTemperatureC: number | null;
  shutdownTemperatureC: number | null;
  /** Maximum operating temperature of the memory. */
  memoryTemperatureLimitC?: number | null;
  reportIntervalSeconds: number;
}

/** Whether a rule applies to a sample; null when the sample lacks the reading. */
interface RuleResult {
  rule: HealthRule;
  health: HealthSignal['health'];
  applies: boolean | null;
  /** Called only for a rule that applies. */
  evidence: () => string;
}

/**
 * Applies the health rules (docs/gpu-health.md) to a sample that is newer than all before it.
 *
 * The XID gauge keeps the last code and never clears: only its change is an event, and a fall to 0 means that the driver
 * was reloaded. Counters reset with the driver too, so only growth counts.
 *
 * @returns the next state, and the code of the XID event that the sample shows, or null
 */
export function observeSample(
  catalog: XidCatalog,
  before: GpuHealthState,
  sample: HealthSample,
  limits: BoardLimits,
): { state: GpuHealthState; xidCode: number | null } {
  const { at } = sample;
  const state = nextState(before.state, sample);
  const xidCode = changedXidCode(before.state, sample);
  let signals = before.signals.filter((signal) => signal.until > at);
  if (state.resetAt === at) signals = observeReset(signals, at);
  if (xidCode !== null) {
    const gauge = { code: xidCode, reachMs: gaugeReachMs(limits.reportIntervalSeconds) };
    signals = observeXid(catalog, signals, { at, code: xidCode, gauge });
  }

  // A rule that applied to a reading applies until the next reading, however long the report interval is.
  const lastsMs = Math.max(RECOVERY_MS, MISSED_REPORTS * limits.reportIntervalSeconds * SECOND_MS);
  for (const { rule, health, applies, evidence } of evaluateRules(before.state, state, sample, limits)) {
    if (applies)
      signals = mergeSignal(signals, {
        rule,
        health,
        evidence: evidence(),
        since: at,
        until: addMs(at, lastsMs),
        evidenceAt: at,
      });
    else if (applies === false) signals = endSignal(signals, { rule, health }, at);
  }
  return { state: { state, signals }, xidCode };
}

/** Returns the code when the gauge changed. A code in the first reading happened earlier and counts as an event now. */
function changedXidCode(before: HealthState, { xid_last_code: code }: HealthReadings): number | null {
  return code && code !== before.xidLastCode ? code : null;
}

function evaluateRules(
  before: HealthState,
  now: HealthState,
  readings: HealthReadings,
  limits: BoardLimits,
): RuleResult[] {
  const { temperature_c: celsius, memory_temperature_c: memoryCelsius } = readings;
  const {
    slowdownTemperatureC: slowdown,
    shutdownTemperatureC: shutdown,
    memoryTemperatureLimitC: memoryLimit = null,
  } = limits;
  const doubleBits = growth(before.eccDoubleBitTotal, readings.ecc_double_bit_total);
  const nvlinkErrors = growth(before.nvlinkErrorsTotal, readings.nvlink_errors_total);
  const replays = growth(before.pcieReplaysTotal, readings.pcie_replays_total);
  const remapped = growth(before.remappedRowsTotal, readings.remapped_rows_total);
  const throttled = now.throttleOnsets?.length ?? 0;
  const verdictOf = (health: HealthSignal['health']): RuleResult => ({
    rule: 'source_verdict',
    health,
    applies: readings.source_health == null ? null : readings.source_health === health,
    evidence: () => readings.source_verdict ?? `the source reports the GPU as ${health}`,
  });
  return [
    verdictOf('critical'),
    verdictOf('degraded'),
    {
      rule: 'ecc_double_bit',
      health: 'critical',
      applies: doubleBits === null ? null : doubleBits > 0,
      evidence: () => `${doubleBits} new double-bit ECC errors`,
    },
    {
      rule: 'row_remap_failed',
      health: 'critical',
      applies: readings.row_remap_failed ?? null,
      evidence: () => 'a row could not be remapped',
    },
    {
      rule: 'temperature_near_shutdown',
      health: 'critical',
      applies: atLeast(celsius, shutdown === null ? null : shutdown - SHUTDOWN_MARGIN_CELSIUS),
      evidence: () => `${celsius} °C; the board shuts down at ${shutdown} °C`,
    },
    {
      rule: 'row_remap_pending',
      health: 'degraded',
      applies: readings.row_remap_pending ?? null,
      evidence: () => 'the next reset will remap a row or retire a page',
    },
    {
      rule: 'throttling',
      health: 'degraded',
      applies: throttled >= MIN_THROTTLE_ONSETS || (readings.throttle_reasons == null ? null : false),
      evidence: () => `throttled ${throttled} times in 10 minutes`,
    },
    {
      rule: 'nvlink_errors',
      health: 'degraded',
      applies: nvlinkErrors === null ? null : nvlinkErrors > 0,
      evidence: () => `${nvlinkErrors} new NVLink errors`,
    },
    {
      rule: 'pcie_replays',
      health: 'degraded',
      applies: replays === null ? null : replays > 0,
      evidence: () => `${replays} new PCIe replays`,
    },
    {
      rule: 'rows_remapped',
      health: 'degraded',
      applies: remapped === null ? null : remapped > 0,
      evidence: () => `${remapped} rows remapped after uncorrectable errors`,
    },
    {
      rule: 'memory_temperature',
      health: 'degraded',
      applies: atLeast(memoryCelsius, memoryLimit),
      evidence: () => `memory at ${memoryCelsius} °C; its maximum is ${memoryLimit} °C`,
    },
    {
      rule: 'temperature_slowdown',
      health: 'degraded',
      applies: atLeast(celsius, slowdown),
      evidence: () => `${celsius} °C; the board slows down at ${slowdown} °C`,
    },
  ];
}

function nextState(before: HealthState, sample: HealthSample): HealthState {
  const { throttleOnsets, ...rest } = before;
  const { at, xid_last_code: code, throttle_reasons: reasons } = sample;
  const onsets = withinThrottleWindow(throttleOnsets, at);
  if (throttlingBegan(before.throttleReasons, reasons)) onsets.push(at);
  return {
    ...rest,
    at,
    ...(code == null ? {} : { xidLastCode: code }),
    ...(code === 0 && before.xidLastCode ? { resetAt: at } : {}),
    ...(reasons == null ? {} : { throttleReasons: reasons }),
    ...(onsets.length === 0 ? {} : { throttleOnsets: onsets }),
    ...(sample.ecc_double_bit_total == null ? {} : { eccDoubleBitTotal: sample.ecc_double_bit_total }),
    ...(sample.nvlink_errors_total == null ? {} : { nvlinkErrorsTotal: sample.nvlink_errors_total }),
    ...(sample.pcie_replays_total == null ? {} : { pcieReplaysTotal: sample.pcie_replays_total }),
    ...(sample.remapped_rows_total == null ? {} : { remappedRowsTotal: sample.remapped_rows_total }),
  };
}

function withinThrottleWindow(edges: readonly string[] | undefined, at: string): string[] {
  if (edges === undefined || edges.length === 0) return [];
  const windowStart = addMs(at, -THROTTLE_WINDOW_MS);
  return edges.filter((edge) => edge > windowStart);
}

/** Returns the growth of a counter, or null when a value is unknown. A counter that fell was reset and did not grow. */
function growth(before: number | undefined, now: number | null | undefined): number | null {
  return before === undefined || now == null ? null : Math.max(0, now - before);
}

function atLeast(value: number | null | undefined, limit: number | null): boolean | null {
  return value == null || limit === null ? null : value >= limit;
}
