import { HOUR_MS } from '@gpu-observatory/domain-types';
import {
  addMs,
  type HealthRule,
  type HealthSignal,
  mergeSignal,
  type ProvisionalXid,
  RECOVERY_MS,
  XID_EFFECT_MS,
} from './health-signal.ts';
import type { XidCatalog } from './xid-catalog.ts';
import { isWithinReach } from './xid-incident.ts';

/** Longest time between an XID and the XID 45 that it causes, in ms. */
export const CAUSE_REACH_MS = HOUR_MS;
const XID_RULES: readonly HealthRule[] = ['critical_xid', 'degrading_xid'];

/** An XID that the driver logged, or a provisional one. */
interface ObservedXid {
  at: string;
  code: number;
  /** Text of the driver; empty or absent if unknown. */
  message?: string;
  provisional?: ProvisionalXid;
  /** Code of the later XID whose message gives this one as its cause; set only if this XID has no line of the driver. */
  causeOf?: number;
}

/**
 * Applies an XID event: most codes have no effect, some make the GPU degraded or critical for a day. Events may arrive in
 * any order. The signal of an event before the last known reset ends with that reset.
 *
 * @param resetAt time of the last known reset
 */
export function observeXid(
  catalog: XidCatalog,
  signals: HealthSignal[],
  { at, code, message, provisional, causeOf }: ObservedXid,
  resetAt?: string,
): HealthSignal[] {
  const { health, name, action } = catalog.entry(code, message);
  if (health === null) return signals;
  const effectEndsAt = addMs(at, XID_EFFECT_MS);
  const wasReset = resetAt !== undefined && at <= resetAt;
  return mergeSignal(signals, {
    rule: health === 'critical' ? 'critical_xid' : 'degrading_xid',
    health,
    evidence: `XID ${code}: ${name} (${action})${causeOf === undefined ? '' : `, cause of XID ${causeOf}`}`,
    since: at,
    until: wasReset ? earlier(effectEndsAt, addMs(resetAt, RECOVERY_MS)) : effectEndsAt,
    evidenceAt: at,
    action,
    ...(provisional === undefined ? {} : { provisional }),
  });
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

/**
 * Applies the XID that caused another one, if its own line is missing. The signal is provisional: a line with the cause replaces it.
 */
export function observeCause(
  catalog: XidCatalog,
  signals: HealthSignal[],
  { at, code, causeOf }: Required<Pick<ObservedXid, 'at' | 'code' | 'causeOf'>>,
  resetAt?: string,
): HealthSignal[] {
  // One cause leads to an XID 45 for each channel of the GPU: its signal is added once.
  if (signals.some((signal) => isProvisionalFor(signal, { at, code }))) return signals;
  const provisional = { code, reachMs: CAUSE_REACH_MS };
  return observeXid(catalog, signals, { at, code, provisional, causeOf }, resetAt);
}

/**
 * Removes the provisional signals of the XID of a line of the driver. The message of the line decides the health; a provisional
 * signal has only the code (docs/decisions/xid-incidents.md).
 *
 * @param line time and code of the line
 */
export function removeProvisional(
  signals: HealthSignal[],
  line: { at: string; code: number },
): HealthSignal[] {
  return signals.filter((signal) => !isProvisionalFor(signal, line));
}

/** Returns whether a signal is the provisional one of an XID. */
function isProvisionalFor({ provisional, since }: HealthSignal, xid: { at: string; code: number }): boolean {
  if (provisional?.code !== xid.code) return false;
  const { reachMs } = provisional;
  return isWithinReach({ atMs: Date.parse(since), reachMs }, { atMs: Date.parse(xid.at) });
}

/**
 * Ends the signals of XIDs before a reset, after the recovery time. A signal with XIDs before and after the reset then starts at its
 * last XID: one from 8:00 to 12:00 of the next day, with a reset at 10:00, starts at 12:00.
 */
export function observeReset(signals: HealthSignal[], resetAt: string): HealthSignal[] {
  const recoveredAt = addMs(resetAt, RECOVERY_MS);
  return signals.map((signal) => {
    if (!XID_RULES.includes(signal.rule)) return signal;
    const lastXidAt = addMs(signal.until, -XID_EFFECT_MS);
    const hasLaterXid = lastXidAt > resetAt;
    if (hasLaterXid) return signal.since <= resetAt ? { ...signal, since: lastXidAt } : signal;
    return signal.until > recoveredAt ? { ...signal, until: recoveredAt } : signal;
  });
}
