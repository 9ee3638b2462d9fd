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

/** Adds a fact, or prolongs the one of the same rule, whose evidence then becomes the newest. */
export function renewFact(facts: HealthFact[], fact: HealthFact): HealthFact[] {
  const others = facts.filter((known) => known.rule !== fact.rule);
  const held = facts.find((known) => known.rule === fact.rule && known.until >= fact.since);
  return [
    ...others,
    held ? { ...fact, since: held.since, until: held.until > fact.until ? held.until : fact.until } : fact,
  ];
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
