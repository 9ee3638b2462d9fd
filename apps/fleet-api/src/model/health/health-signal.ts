/** The rules by which a GPU is critical or degraded (docs/gpu-health.md); `missing` follows from silence alone. */
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
  | 'temperature_slowdown';

/** A rule that holds, the reading that made it hold, and until when it holds unless it is seen again. */
export interface HealthFact {
  rule: HealthRule;
  health: 'critical' | 'degraded';
  evidence: string;
  since: string;
  until: string;
}

/** Better only after so many clean minutes: the jitter of one reading must not make a fleet flap. */
export const CLEAN_SPELL_MS = 10 * 60_000;
/** An XID keeps its effect for a day, or until a reset. */
export const XID_EFFECT_MS = 24 * 3_600_000;

/**
 * Adds a fact, or joins it with the one of the same rule that it overlaps: since the earlier of the two, until the later,
 * with the evidence of the one that holds longer. In whatever order facts arrive, the same stands at the end.
 */
export function renewFact(facts: HealthFact[], fact: HealthFact): HealthFact[] {
  const known = facts.find(({ rule }) => rule === fact.rule);
  if (!known) return [...facts, fact];
  const others = facts.filter((other) => other !== known);
  if (fact.since > known.until) return [...others, fact];
  if (fact.until < known.since) return facts;
  const longer = fact.until >= known.until ? fact : known;
  return [...others, { ...longer, since: known.since < fact.since ? known.since : fact.since }];
}

/** A rule no longer holds: what it said ends after a clean spell. */
export function endFact(facts: HealthFact[], rule: HealthRule, at: string): HealthFact[] {
  if (!facts.some((fact) => fact.rule === rule)) return facts;
  const cleanAt = later(at, CLEAN_SPELL_MS);
  return facts.map((fact) =>
    fact.rule === rule && fact.until > cleanAt ? { ...fact, until: cleanAt } : fact,
  );
}

/** The latest end of a rule of this health, or null when none is known. */
export function heldUntil(facts: readonly HealthFact[], health: HealthFact['health']): string | null {
  return facts
    .filter((fact) => fact.health === health)
    .reduce<string | null>(
      (latest, fact) => (latest === null || fact.until > latest ? fact.until : latest),
      null,
    );
}

/** A time so many milliseconds after another, both RFC 3339 UTC with milliseconds, so that text compares as time. */
export function later(at: string, milliseconds: number): string {
  return new Date(Date.parse(at) + milliseconds).toISOString();
}
