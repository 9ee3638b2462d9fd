import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { addMs, endSignal, type HealthSignal, mergeSignal, RECOVERY_MS } from './health-signal.ts';
import type { HealthState } from './health-state.ts';
import { MISSED_REPORTS } from './missing-data-timeout.ts';
import { observeReset, observeXid } from './observe-xid.ts';
import { type BoardLimits, compareSamples, type HealthReadings, SAMPLE_RULES } from './sample-rules.ts';
import { throttlingBegan } from './throttle-reasons.ts';
import type { XidCatalog } from './xid-catalog.ts';
import { gaugeReachMs } from './xid-incident.ts';

const THROTTLE_WINDOW_MS = 10 * MINUTE_MS;

/** Readings of one sample. */
interface HealthSample extends HealthReadings {
  at: string;
}

/** State and signals of a GPU that its health depends on. */
export interface GpuHealthState {
  state: HealthState;
  signals: HealthSignal[];
}

/**
 * Applies the health rules (docs/gpu-health.md) to a sample that is newer than all applied samples.
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
    const provisional = { code: xidCode, reachMs: gaugeReachMs(limits.reportIntervalSeconds) };
    signals = observeXid(catalog, signals, { at, code: xidCode, provisional });
  }

  // A rule that applied to a reading applies until the next reading, however long the report interval is.
  const durationMs = Math.max(RECOVERY_MS, MISSED_REPORTS * limits.reportIntervalSeconds * SECOND_MS);
  const compared = compareSamples(before.state, state, sample, limits);
  for (const sampleRule of SAMPLE_RULES) {
    const { rule, health } = sampleRule;
    const applies = sampleRule.applies(compared);
    if (applies)
      signals = mergeSignal(signals, {
        rule,
        health,
        evidence: sampleRule.evidence(compared),
        since: at,
        until: addMs(at, durationMs),
        evidenceAt: at,
      });
    else if (applies === false) signals = endSignal(signals, { rule, health }, at);
  }
  return { state: { state, signals }, xidCode };
}

/** Returns the code if the gauge changed, else null. A code in the first reading occurred earlier, and counts as an event now. */
function changedXidCode(before: HealthState, { xid_last_code: code }: HealthReadings): number | null {
  return code && code !== before.xidLastCode ? code : null;
}

function nextState(before: HealthState, sample: HealthSample): HealthState {
  const { at, xid_last_code: code, throttle_reasons: reasons } = sample;
  const state = { ...before, at };
  if (code != null) state.xidLastCode = code;
  if (code === 0 && before.xidLastCode) state.resetAt = at;
  if (reasons != null) state.throttleReasons = reasons;
  if (sample.ecc_double_bit_total != null) state.eccDoubleBitTotal = sample.ecc_double_bit_total;
  if (sample.nvlink_errors_total != null) state.nvlinkErrorsTotal = sample.nvlink_errors_total;
  if (sample.pcie_replays_total != null) state.pcieReplaysTotal = sample.pcie_replays_total;
  if (sample.remapped_rows_total != null) state.remappedRowsTotal = sample.remapped_rows_total;
  const onsets = withinThrottleWindow(before.throttleOnsets, at);
  if (throttlingBegan(before.throttleReasons, reasons)) onsets.push(at);
  if (onsets.length > 0) state.throttleOnsets = onsets;
  else delete state.throttleOnsets;
  return state;
}

function withinThrottleWindow(onsets: readonly string[] | undefined, at: string): string[] {
  if (onsets === undefined || onsets.length === 0) return [];
  const windowStart = addMs(at, -THROTTLE_WINDOW_MS);
  return onsets.filter((onset) => onset > windowStart);
}
