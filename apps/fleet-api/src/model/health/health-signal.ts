import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';

/** Rules that make a GPU critical or degraded (docs/gpu-health.md). `missing` depends on the missing-data timeout alone. */
export type HealthRule =
  | 'critical_xid'
  | 'source_verdict'
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

type RuleHealth = Pick<HealthSignal, 'rule' | 'health'>;

/**
 * Marks the signal of an XID whose line in the kernel log is missing: only DCGM field 230 (the code of the last XID) shows it, or the
 * message of an XID 45 that it caused. Such a signal is not merged, because a line of the NVIDIA driver, whose message decides the
 * health, may still replace it.
 */
export interface ProvisionalXid {
  code: number;
  /** Longest time between the XID and `since` of its signal, in ms. A line with the code within this time replaces the signal. */
  reachMs: number;
}

/**
 * A rule that applied, with its evidence: a reading or an XID. Times are RFC 3339 UTC with milliseconds, so that text compares as
 * time, like all times in this folder.
 */
export interface HealthSignal {
  rule: HealthRule;
  health: 'critical' | 'degraded';
  evidence: string;
  /** First observation. */
  since: string;
  /** End unless the rule is observed again. At this time, the signal no longer affects health. */
  until: string;
  /** Time of the reading or XID of the evidence. */
  evidenceAt: string;
  /** Recommended action for an XID, from the XID catalog. Rules of readings have theirs in `rule-actions.ts`. */
  action?: string;
  provisional?: ProvisionalXid;
}

/** Time without an observation before a signal ends, so that a reading around a threshold does not make the health flap. */
export const RECOVERY_MS = 10 * MINUTE_MS;
/** Time for which an XID affects health, unless a reset ends it. */
export const XID_EFFECT_MS = DAY_MS;

/**
 * Maximum number of separate signals of one rule and health. Signals that have ended remain until the next sample, because an XID
 * that is imported late can join two of them. A GPU without telemetry has no next sample.
 */
const MAX_SEPARATE_SIGNALS = 30;

/**
 * Adds a signal. Signals of one rule and health that overlap are merged, except provisional ones. The end does not depend on the
 * order in which signals arrive. The start can be later than the first observation if a signal that was removed before (by a sample
 * after its end, or above `MAX_SEPARATE_SIGNALS`) would have been merged. Of two XIDs with the same time, the one that arrives last is
 * the evidence.
 */
export function mergeSignal(signals: HealthSignal[], signal: HealthSignal): HealthSignal[] {
  if (signal.provisional !== undefined) return addProvisional(signals, signal);
  const sameRule = signals.filter((other) => isSameRule(other, signal) && other.provisional === undefined);
  const overlapping = sameRule.filter((other) => isOverlapping(other, signal));
  const separate = sameRule.filter((other) => !overlapping.includes(other));
  const latest = [...separate, overlapping.reduce(union, signal)]
    .sort((a, b) => (a.until < b.until ? -1 : 1))
    .slice(-MAX_SEPARATE_SIGNALS);
  return [...signals.filter((other) => !sameRule.includes(other)), ...latest];
}

/** Returns whether one signal begins before the other ends, or at its end. */
function isOverlapping(one: HealthSignal, other: HealthSignal): boolean {
  return one.since <= other.until && other.since <= one.until;
}

/** Merges overlapping signals: from the earlier begin to the later end, with the evidence of the one that ends later. */
function union(one: HealthSignal, other: HealthSignal): HealthSignal {
  // A reset ends several XIDs at the same time. The latest of them is then the evidence; of two with one time, the first argument.
  const otherIsLater =
    one.until === other.until ? one.evidenceAt < other.evidenceAt : one.until < other.until;
  const since = one.since < other.since ? one.since : other.since;
  return { ...(otherIsLater ? other : one), since };
}

/** Maximum number of provisional signals of a GPU. Field 230 can show another code in each sample. */
const MAX_PROVISIONAL_SIGNALS = 20;

/**
 * Adds a provisional signal. Above the maximum, the one that was added first is merged like the signal of a line, which can no
 * longer replace it.
 */
function addProvisional(signals: HealthSignal[], signal: HealthSignal): HealthSignal[] {
  const provisionalSignals = signals.filter(({ provisional }) => provisional !== undefined);
  const [first] = provisionalSignals;
  if (first === undefined || provisionalSignals.length < MAX_PROVISIONAL_SIGNALS) return [...signals, signal];
  const others = signals.filter((other) => other !== first);
  return [...mergeSignal(others, asFinal(first)), signal];
}

/** Returns one signal per rule and health, the last one. Provisional signals are merged with the others. */
export function mergedByRule(signals: readonly HealthSignal[]): HealthSignal[] {
  const merged = signals.map(asFinal).reduce<HealthSignal[]>(mergeSignal, []);
  return merged.filter(
    (signal) => !merged.some((other) => isSameRule(other, signal) && other.until > signal.until),
  );
}

/** Returns a signal without its mark. */
function asFinal({ provisional: _provisional, ...signal }: HealthSignal): HealthSignal {
  return signal;
}

/** Ends the signal of a rule that no longer applies after the recovery time. This never extends a signal. */
export function endSignal(signals: HealthSignal[], ended: RuleHealth, at: string): HealthSignal[] {
  if (!signals.some((signal) => isSameRule(signal, ended))) return signals;
  const recoveredAt = addMs(at, RECOVERY_MS);
  return signals.map((signal) =>
    isSameRule(signal, ended) && signal.until > recoveredAt ? { ...signal, until: recoveredAt } : signal,
  );
}

function isSameRule(one: RuleHealth, other: RuleHealth): boolean {
  return one.rule === other.rule && one.health === other.health;
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
