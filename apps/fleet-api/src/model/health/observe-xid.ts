import {
  CLEAN_SPELL_MS,
  endFact,
  type HealthFact,
  later,
  renewFact,
  XID_EFFECT_MS,
} from './health-signal.ts';
import { xidEntry } from './xid-catalog.ts';

const XID_RULES = ['critical_xid', 'degrading_xid'] as const;

/**
 * What an XID says of a GPU's health: nothing for most codes, a day of `degraded` or `critical` for some. XIDs may be
 * told in any order: one that happened before the last known reset is over with that reset.
 *
 * @param resetAt the last reset that is known of
 */
export function observeXid(facts: HealthFact[], at: string, code: number, resetAt?: string): HealthFact[] {
  const { health, name, action } = xidEntry(code);
  if (health === null) return facts;
  const fadesAt = later(at, XID_EFFECT_MS);
  const cleanAt = resetAt !== undefined && at <= resetAt ? later(resetAt, CLEAN_SPELL_MS) : fadesAt;
  return renewFact(facts, {
    rule: health === 'critical' ? 'critical_xid' : 'degrading_xid',
    health,
    evidence: `XID ${code}: ${name} (${action})`,
    since: at,
    until: cleanAt < fadesAt ? cleanAt : fadesAt,
  });
}

/** A reset ends what XIDs before it said, after a clean spell; one that happened after it stands. */
export function observeReset(facts: HealthFact[], at: string): HealthFact[] {
  return XID_RULES.reduce((known, rule) => {
    const fact = known.find((other) => other.rule === rule);
    const lastXidAt = fact && later(fact.until, -XID_EFFECT_MS);
    if (fact === undefined || lastXidAt === undefined || lastXidAt <= at) return endFact(known, rule, at);
    return known.map((other) => (other === fact && fact.since <= at ? { ...fact, since: lastXidAt } : other));
  }, facts);
}
