import {
  addMs,
  endSignal,
  type HealthSignal,
  mergeSignal,
  RECOVERY_MS,
  XID_EFFECT_MS,
} from './health-signal.ts';
import { xidEntry } from './xid-catalog.ts';

const XID_RULES = ['critical_xid', 'degrading_xid'] as const;

/**
 * Applies an XID event: most codes have no effect, some make the GPU degraded or critical for a day. Events may arrive in
 * any order. The signal of an event before the last known reset ends with that reset.
 *
 * @param resetAt the last known reset
 * @param message text of the XID; empty if unknown
 */
export function observeXid(
  signals: HealthSignal[],
  at: string,
  code: number,
  resetAt?: string,
  message = '',
): HealthSignal[] {
  const { health, name, action } = xidEntry(code, message);
  if (health === null) return signals;
  const fadesAt = addMs(at, XID_EFFECT_MS);
  const recoveredAt = resetAt !== undefined && at <= resetAt ? addMs(resetAt, RECOVERY_MS) : fadesAt;
  return mergeSignal(signals, {
    rule: health === 'critical' ? 'critical_xid' : 'degrading_xid',
    health,
    evidence: `XID ${code}: ${name} (${action})`,
    since: at,
    until: recoveredAt < fadesAt ? recoveredAt : fadesAt,
  });
}

/** Ends the signals of XIDs before a reset, after the recovery time. Later XIDs keep their effect. */
export function observeReset(signals: HealthSignal[], at: string): HealthSignal[] {
  return XID_RULES.reduce((known, rule) => {
    const signal = known.find((other) => other.rule === rule);
    const lastXidAt = signal && addMs(signal.until, -XID_EFFECT_MS);
    if (signal === undefined || lastXidAt === undefined || lastXidAt <= at) return endSignal(known, rule, at);
    return known.map((other) =>
      other === signal && signal.since <= at ? { ...signal, since: lastXidAt } : other,
    );
  }, signals);
}
