import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';

/** Rules that make a GPU critical or degraded (docs/gpu-health.md). `missing` depends on the missing-data timeout alone. */
export type HealthRule =
  | 'critical_xid'
  | 'ecc_double_bit'
  | 'row_remap_failed'
  | 'temperature_near_shutdown'
  | 'degrading_xid'
  | 'row_remap_pending'
  | 'throttling'
  | 'nvlink_errors'
  | 'pcie_replays'
  | 'rows_remapped'
  | 'memory_temperature'
  | 'temperature_slowdown';

/** A rule that applied, the reading it applied to, and when it stops to apply unless it is observed again. */
export interface HealthSignal {
  rule: HealthRule;
  health: 'critical' | 'degraded';
  evidence: string;
  /** RFC 3339 UTC with milliseconds, as all times here: text compares as time. */
  since: string;
  until: string;
}

/** Time without an observation before a signal ends: one reading around a threshold must not make the health flap. */
export const RECOVERY_MS = 10 * MINUTE_MS;
/** How long an XID affects health, unless a reset ends it. */
export const XID_EFFECT_MS = DAY_MS;

/**
 * Adds a signal, or merges it with an overlapping one of the same rule: from the earlier begin to the later end, with the
 * evidence of the later end. The result does not depend on the order in which signals arrive.
 */
export function mergeSignal(signals: HealthSignal[], signal: HealthSignal): HealthSignal[] {
  const known = signals.find(({ rule }) => rule === signal.rule);
  if (!known) return [...signals, signal];
  const others = signals.filter((other) => other !== known);
  if (signal.since > known.until) return [...others, signal];
  if (signal.until < known.since) return signals;
  const longer = signal.until >= known.until ? signal : known;
  return [...others, { ...longer, since: known.since < signal.since ? known.since : signal.since }];
}

/** Ends the signal of a rule that no longer applies, after the recovery time. */
export function endSignal(signals: HealthSignal[], rule: HealthRule, at: string): HealthSignal[] {
  if (!signals.some((signal) => signal.rule === rule)) return signals;
  const recoveredAt = addMs(at, RECOVERY_MS);
  return signals.map((signal) =>
    signal.rule === rule && signal.until > recoveredAt ? { ...signal, until: recoveredAt } : signal,
  );
}

/** Returns the latest end of the signals of this health, or null without one. */
export function signalEnd(signals: readonly HealthSignal[], health: HealthSignal['health']): string | null {
  return signals
    .filter((signal) => signal.health === health)
    .reduce<string | null>((latest, { until }) => (latest === null || until > latest ? until : latest), null);
}

export function addMs(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
