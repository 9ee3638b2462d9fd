import type { EntityKind } from '../../../model/metrics/counted-entities.ts';
import { type Owner, ownerOf } from '../../../model/metrics/rollup-scope.ts';

/** Kinds stored in `fleet.entities`; GPUs have their own table. */
export type StoredEntityKind = Exclude<EntityKind, 'gpu'>;

/** A row of `fleet.entities`. Times are RFC 3339 UTC with milliseconds, so that text compares as time. */
export interface Entity extends Owner {
  kind: StoredEntityKind;
  entity_id: string;
  /** Time of the newest record of the entity itself; null while only records of other entities mention it. */
  last_reported_at: string | null;
  /** Time of the record that decided the owner. */
  owned_since: string;
  first_seen: string;
  last_seen: string;
  doc: Record<string, unknown>;
}

/** State of an entity as a record about this entity reports it. */
export interface Observation extends Pick<Entity, keyof Owner | 'kind' | 'entity_id' | 'doc'> {
  at: string;
}

/** First and last time at which records of other entities mention an entity. */
export type Mention = Pick<Entity, keyof Owner | 'kind' | 'entity_id' | 'first_seen' | 'last_seen'>;

/**
 * Applies an observation. The later record wins, field by field, and decides the owner; an earlier one fills missing fields.
 *
 * @returns the entity, and in `conflict` the field in which a record of the same time differs, or null
 */
export function applyObservation(
  entity: Entity | null,
  { at, ...observed }: Observation,
): { entity: Entity; conflict: string | null } {
  const { doc } = observed;
  if (entity === null) {
    const times = { last_reported_at: at, owned_since: at, first_seen: at, last_seen: at };
    return { entity: { ...observed, ...times }, conflict: null };
  }
  if (at === entity.last_reported_at) {
    const conflict = Object.keys(doc).find(
      (field) => field in entity.doc && JSON.stringify(entity.doc[field]) !== JSON.stringify(doc[field]),
    );
    if (conflict !== undefined) return { entity, conflict };
  }
  const seen = withTimes(entity, at, at);
  const isNewest = entity.last_reported_at === null || at > entity.last_reported_at;
  return {
    entity: isNewest
      ? { ...seen, ...observed, last_reported_at: at, owned_since: at, doc: { ...entity.doc, ...doc } }
      : { ...seen, doc: { ...doc, ...entity.doc } },
    conflict: null,
  };
}

/**
 * Applies a mention. Until a record of the entity arrives, the earliest mention decides the owner, so that the result
 * does not depend on the order of the records.
 */
export function applyMention(entity: Entity | null, mention: Mention): Entity {
  const { first_seen, last_seen } = mention;
  if (entity === null) return { ...mention, last_reported_at: null, owned_since: first_seen, doc: {} };
  const seen = withTimes(entity, first_seen, last_seen);
  const isEarlier =
    first_seen < entity.owned_since || (first_seen === entity.owned_since && precedes(mention, entity));
  return entity.last_reported_at === null && isEarlier
    ? { ...seen, ...ownerOf(mention), owned_since: first_seen }
    : seen;
}

/** Returns whether the first owner has precedence, for mentions of the same time. */
export function precedes(one: Owner, other: Owner): boolean {
  const workspaces = (one.workspace_id ?? 0) - (other.workspace_id ?? 0);
  return workspaces < 0 || (workspaces === 0 && (one.api_key_id ?? 0) < (other.api_key_id ?? 0));
}

function withTimes(entity: Entity, firstAt: string, lastAt: string): Entity {
  return {
    ...entity,
    first_seen: firstAt < entity.first_seen ? firstAt : entity.first_seen,
    last_seen: lastAt > entity.last_seen ? lastAt : entity.last_seen,
  };
}
