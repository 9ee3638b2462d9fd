import { CLEAN_SPELL_MS, type HealthFact, renewFact, XID_EFFECT_MS } from './health-fact.ts';
import { xidEntry } from './xid-catalogue.ts';

/** What an XID says of a GPU's health: nothing for most codes, a day of `degraded` or `critical` for some. */
export function observeXid(facts: HealthFact[], at: string, code: number): HealthFact[] {
  const entry = xidEntry(code);
  if (entry.health === null) return facts;
  return renewFact(facts, {
    rule: entry.health === 'critical' ? 'critical_xid' : 'degrading_xid',
    health: entry.health,
    evidence: `XID ${code}: ${entry.name} (${entry.action})`,
    since: at,
    until: new Date(Date.parse(at) + XID_EFFECT_MS).toISOString(),
  });
}

/** A reset ends what XIDs said, after a clean spell. */
export function observeReset(facts: HealthFact[], at: string): HealthFact[] {
  const cleanAt = new Date(Date.parse(at) + CLEAN_SPELL_MS).toISOString();
  return facts.map((fact) =>
    (fact.rule === 'critical_xid' || fact.rule === 'degrading_xid') && fact.until > cleanAt
      ? { ...fact, until: cleanAt }
      : fact,
  );
}
