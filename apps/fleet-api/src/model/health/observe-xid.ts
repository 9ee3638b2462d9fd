import { HOUR_MS } from '@gpu-observatory/domain-types';
import {
  addMs,
  type GaugeXid,
  type HealthRule,
  type HealthSignal,
  mergeSignal,
  RECOVERY_MS,
  XID_EFFECT_MS,
} from './health-signal.ts';
import type { XidCatalog } from './xid-catalog.ts';
import { isWithinReach } from './xid-incident.ts';

/** Longest time between an XID and the XID 45 that it causes, in ms. */
export const CAUSE_REACH_MS = HOUR_MS;
const XID_RULES: readonly HealthRule[] = ['critical_xid', 'degrading_xid'];

/** An XID that the driver logged or the gauge shows. */
export interface ObservedXid {
  at: string;
  code: number;
  /** Text of the driver; empty or absent if unknown. */
  message?: string;
  gauge?: GaugeXid;
  /** Code of the XID whose message has this one as its cause. */
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
  { at, code, message, gauge, causeOf }: ObservedXid,
  resetAt?: string,
): HealthSignal[] {
  const { health, name, action } = catalog.entry(code, message);
  if (health === null) return signals;
  const effectEndsAt = addMs(at, XID_EFFECT_MS);
  const recoveredAt = resetAt !== undefined && at <= resetAt ? addMs(resetAt, RECOVERY_MS) : effectEndsAt;
  return mergeSignal(signals, {
    rule: health === 'critical' ? 'critical_xid' : 'degrading_xid',
    health,
    evidence: `XID ${code}: ${name} (${action})${causeOf === undefined ? '' : `, cause of XID ${causeOf}`}`,
    since: at,
    until: recoveredAt < effectEndsAt ? recoveredAt : effectEndsAt,
    evidenceAt: at,
    action,
    ...(gauge === undefined ? {} : { gauge }),
  });
}

/**
 * Applies the cause of an XID if the line of the cause itself is missing. Like a signal of the gauge, this signal is replaced by a
 * line with the cause, whose message decides the health.
 */
export function observeCause(
  catalog: XidCatalog,
  signals: HealthSignal[],
  { at, code, causeOf }: Required<Pick<ObservedXid, 'at' | 'code' | 'causeOf'>>,
  resetAt?: string,
): HealthSignal[] {
  const gauge = { code, reachMs: CAUSE_REACH_MS };
  // A fault results in an XID 45 for each channel.
  if (signals.some((signal) => showsXid(signal, { at, code }))) return signals;
  return observeXid(catalog, signals, { at, code, gauge, causeOf }, resetAt);
}

/**
 * Removes the signals of the gauge that show the XID of a line of the driver. The message of the line decides the health; the gauge
 * has only the code (docs/decisions/xid-incidents.md).
 *
 * @param driver time and code of the line
 */
export function withdrawGauge(signals: HealthSignal[], driver: { at: string; code: number }): HealthSignal[] {
  return signals.filter((signal) => !showsXid(signal, driver));
}

/** Returns whether a signal of the gauge shows the XID of a line of the driver. */
function showsXid({ gauge, since }: HealthSignal, driver: { at: string; code: number }): boolean {
  if (gauge?.code !== driver.code) return false;
  return isWithinReach({ atMs: Date.parse(since), reachMs: gauge.reachMs }, { atMs: Date.parse(driver.at) });
}

/**
 * Ends the signals of XIDs before a reset, after the recovery time. A signal with XIDs before and after the reset then starts at its
 * last XID, which is `XID_EFFECT_MS` before its end.
 */
export function observeReset(signals: HealthSignal[], at: string): HealthSignal[] {
  const recoveredAt = addMs(at, RECOVERY_MS);
  return signals.map((signal) => {
    if (!XID_RULES.includes(signal.rule)) return signal;
    const lastXidAt = addMs(signal.until, -XID_EFFECT_MS);
    if (lastXidAt <= at) return signal.until > recoveredAt ? { ...signal, until: recoveredAt } : signal;
    return signal.since <= at ? { ...signal, since: lastXidAt } : signal;
  });
}
