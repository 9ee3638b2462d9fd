import type { EntityKind } from '../../../model/metrics/counted-entities.ts';
import type { Owner } from '../../../model/metrics/rollup-scope.ts';
import type { CountedEntity } from '../rollups/entity-counts.ts';

/** Kinds stored in `fleet.entities`; GPUs have their own table. */
export type StoredEntityKind = Exclude<EntityKind, 'gpu'>;

/** A row of `fleet.entities`. Times are RFC 3339 UTC with milliseconds, so that text compares as time. */
export interface Entity {
  kind: StoredEntityKind;
  id: string;
  owner: Owner;
  /** Time of the newest record of the entity itself; null while only records of other entities mention it. */
  lastReportedAt: string | null;
  /** Time of the record that decided the owner. */
  ownedSince: string;
  firstSeen: string;
  lastSeen: string;
  doc: Record<string, unknown>;
}

/** State of an entity by a record of the entity itself. */
export interface Observation {
  kind: StoredEntityKind;
  id: string;
  at: string;
  owner: Owner;
  doc: Record<string, unknown>;
}

/** Presence of an entity by records of other entities. */
export interface Mention {
  kind: StoredEntityKind;
  id: string;
  firstAt: string;
  lastAt: string;
  owner: Owner;
}

/**
 * Applies an observation. The later record wins, field by field, and decides the owner; an earlier one fills missing fields.
 *
 * @returns the entity, and the field in which a record of the same time differs, or null
 */
export function applyObservation(
  entity: Entity | null,
  observation: Observation,
): { entity: Entity; conflict: string | null } {
  const { kind, id, at, owner, doc } = observation;
  if (entity === null) {
    const created = { kind, id, owner, lastReportedAt: at, ownedSince: at, firstSeen: at, lastSeen: at, doc };
    return { entity: created, conflict: null };
  }
  if (at === entity.lastReportedAt) {
    const conflict = Object.keys(doc).find(
      (field) => field in entity.doc && JSON.stringify(entity.doc[field]) !== JSON.stringify(doc[field]),
    );
    if (conflict !== undefined) return { entity, conflict };
  }
  const seen = withTimes(entity, at, at);
  const isNewest = entity.lastReportedAt === null || at > entity.lastReportedAt;
  return {
    entity: isNewest
      ? { ...seen, owner, lastReportedAt: at, ownedSince: at, doc: { ...entity.doc, ...doc } }
      : { ...seen, doc: { ...doc, ...entity.doc } },
    conflict: null,
  };
}

/**
 * Applies a mention. Until a record of the entity arrives, the earliest mention decides the owner, so that the result
 * does not depend on the order of the records.
 */
export function applyMention(entity: Entity | null, { kind, id, owner, firstAt, lastAt }: Mention): Entity {
  if (entity === null) {
    return {
      kind,
      id,
      owner,
      lastReportedAt: null,
      ownedSince: firstAt,
      firstSeen: firstAt,
      lastSeen: lastAt,
      doc: {},
    };
  }
  const seen = withTimes(entity, firstAt, lastAt);
  const isEarlier =
    firstAt < entity.ownedSince || (firstAt === entity.ownedSince && precedes(owner, entity.owner));
  return entity.lastReportedAt === null && isEarlier ? { ...seen, owner, ownedSince: firstAt } : seen;
}

/** Orders owners, for mentions of the same time. */
export function precedes(one: Owner, other: Owner): boolean {
  const [a, b] = [one, other].map(({ workspaceId, apiKeyId }) => [workspaceId ?? 0, apiKeyId ?? 0]) as [
    [number, number],
    [number, number],
  ];
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function withTimes(entity: Entity, firstAt: string, lastAt: string): Entity {
  return {
    ...entity,
    firstSeen: firstAt < entity.firstSeen ? firstAt : entity.firstSeen,
    lastSeen: lastAt > entity.lastSeen ? lastAt : entity.lastSeen,
  };
}

export function countedEntity({ owner, firstSeen, lastSeen }: Entity): CountedEntity {
  return { owner, firstSeen, lastSeen };
}
