import { type Owner, ownerOf, sameOwner } from '../../../model/metrics/rollup-scope.ts';
import type { ImportConnection } from '../import-connection.ts';
import type { EntityCounts } from '../rollups/entity-counts.ts';
import {
  applyMention,
  applyObservation,
  type Entity,
  type Mention,
  type Observation,
  precedes,
  type StoredEntityKind,
} from './entity.ts';

/** Above this size the cache is cleared after a batch: the number of processes is unbounded. */
const MAX_CACHED_ENTITIES = 50_000;

/** A row of `fleet.entities` as it is read. */
export interface EntityRow
  extends
    Pick<Entity, keyof Owner | 'kind' | 'entity_id' | 'doc'>,
    Record<'owned_since' | 'first_seen' | 'last_seen', Date> {
  last_reported_at: Date | null;
}

type EntityKey = Pick<Entity, 'kind' | 'entity_id'>;

/** Reads rows of `fleet.entities`, by customer, kind and id. */
const READ_ENTITIES = `SELECT e.kind, e.entity_id, e.workspace_id, e.api_key_id, e.last_reported_at, e.owned_since, e.first_seen, e.last_seen, e.doc
  FROM unnest($2::text[], $3::text[]) AS wanted (kind, entity_id)
  JOIN fleet.entities e ON e.customer_id = $1 AND e.kind = wanted.kind AND e.entity_id = wanted.entity_id`;

/** Inserts and updates rows of `fleet.entities`, by customer, kind and id. */
const WRITE_ENTITIES = `INSERT INTO fleet.entities (customer_id, kind, entity_id, workspace_id, api_key_id, last_reported_at, owned_since, first_seen,
    last_seen, doc)
  SELECT $1, kind, entity_id, workspace_id, api_key_id, last_reported_at, owned_since, first_seen, last_seen, doc
  FROM jsonb_to_recordset($2) AS staged (kind text, entity_id text, workspace_id integer, api_key_id integer,
    last_reported_at timestamptz, owned_since timestamptz, first_seen timestamptz, last_seen timestamptz, doc jsonb)
  ON CONFLICT (customer_id, kind, entity_id) DO UPDATE SET
    workspace_id = excluded.workspace_id, api_key_id = excluded.api_key_id,
    last_reported_at = excluded.last_reported_at, owned_since = excluded.owned_since,
    first_seen = excluded.first_seen, last_seen = excluded.last_seen, doc = excluded.doc`;

/**
 * Entities of one customer, without GPUs. An entity that an import has touched stays cached until another session
 * writes for the customer, which `BatchWriter` detects by the import sequence number.
 */
export class EntityCache {
  /** Entities by `keyOf`; null when not stored. */
  private readonly entities = new Map<string, Entity | null>();
  /** Mentions in the batch, by kind and then id, because a joined key would be built for every sample. */
  private readonly mentions = new Map<StoredEntityKind, Map<string, Mention>>();
  /** State before the batch of the entities that it changed, which the counts include; null for a new entity. */
  private readonly beforeBatch = new Map<string, Entity | null>();

  constructor(
    private readonly connection: Pick<ImportConnection, 'query'>,
    private readonly customerId: number,
  ) {}

  /** Adds a mention of an entity by a record of another entity. */
  recordSeen(kind: StoredEntityKind, entity_id: string, at: string, owner: Owner): void {
    let mentionsOfKind = this.mentions.get(kind);
    if (mentionsOfKind === undefined) {
      mentionsOfKind = new Map();
      this.mentions.set(kind, mentionsOfKind);
    }
    const mention = mentionsOfKind.get(entity_id);
    if (mention === undefined) {
      mentionsOfKind.set(entity_id, { kind, entity_id, ...ownerOf(owner), first_seen: at, last_seen: at });
      return;
    }
    if (at < mention.first_seen || (at === mention.first_seen && precedes(owner, mention)))
      Object.assign(mention, ownerOf(owner), { first_seen: at });
    if (at > mention.last_seen) mention.last_seen = at;
  }

  /** Records that a record mentions its host, if it is known, and its owner. */
  recordHostSeen(hostname: string | undefined, at: string, owner: Owner): void {
    if (hostname) this.recordSeen('host', hostname, at, owner);
    this.recordOwnerSeen(at, owner);
  }

  /** Records that a record mentions its workspace, and the workspace of its API key. */
  recordOwnerSeen(at: string, owner: Owner): void {
    const { workspace_id, api_key_id } = owner;
    if (workspace_id === null) return;
    this.recordSeen('workspace', `${workspace_id}`, at, { workspace_id, api_key_id: null });
    if (api_key_id !== null) this.recordSeen('key_workspace', `${workspace_id} ${api_key_id}`, at, owner);
  }

  /** Reads entities that are not cached. */
  async load(wanted: readonly EntityKey[]): Promise<void> {
    const missing = new Map(
      wanted.map((entity) => [keyOf(entity), entity] as const).filter(([key]) => !this.entities.has(key)),
    );
    if (missing.size === 0) return;
    for (const key of missing.keys()) this.entities.set(key, null);
    const rows = await this.connection.query<EntityRow>(READ_ENTITIES, [
      this.customerId,
      [...missing.values()].map(({ kind }) => kind),
      [...missing.values()].map(({ entity_id }) => entity_id),
    ]);
    for (const row of rows) this.entities.set(keyOf(row), fromRow(row));
  }

  /**
   * Applies an observation of an entity that was loaded.
   *
   * @returns whether it changed the entity, or the field in which it conflicts with a record of the same time
   */
  upsert(observation: Observation): { changed: boolean } | { conflict: string } {
    const { entity, conflict } = applyObservation(this.get(observation), observation);
    return conflict === null ? { changed: this.replace(entity) } : { conflict };
  }

  /**
   * Writes all changes of the batch, and adds them to the counts.
   *
   * @returns the number of changed entities
   */
  async write(counts: EntityCounts): Promise<number> {
    const mentions = [...this.mentions.values()].flatMap((mentionsOfKind) => [...mentionsOfKind.values()]);
    this.mentions.clear();
    await this.load(mentions);
    for (const mention of mentions) this.replace(applyMention(this.get(mention), mention));
    const changed = [...this.beforeBatch.keys()].map((key) => this.entities.get(key) as Entity);
    for (const entity of changed)
      counts.update(entity.kind, this.beforeBatch.get(keyOf(entity)) ?? null, entity);
    this.beforeBatch.clear();
    if (changed.length > 0)
      await this.connection.query(WRITE_ENTITIES, [this.customerId, JSON.stringify(changed)]);
    if (this.entities.size > MAX_CACHED_ENTITIES) this.entities.clear();
    return changed.length;
  }

  private get(wanted: EntityKey): Entity | null {
    return this.entities.get(keyOf(wanted)) ?? null;
  }

  /** Replaces an entity. @returns false if it is the same */
  private replace(entity: Entity): boolean {
    const before = this.get(entity);
    if (before !== null && isSame(before, entity)) return false;
    const key = keyOf(entity);
    if (!this.beforeBatch.has(key)) this.beforeBatch.set(key, before);
    this.entities.set(key, entity);
    return true;
  }
}

function keyOf({ kind, entity_id }: EntityKey): string {
  return `${kind} ${entity_id}`;
}

function isSame(a: Entity, b: Entity): boolean {
  return (
    a.last_seen === b.last_seen &&
    a.first_seen === b.first_seen &&
    a.last_reported_at === b.last_reported_at &&
    a.owned_since === b.owned_since &&
    sameOwner(a, b) &&
    Object.keys(a.doc).length === Object.keys(b.doc).length &&
    Object.entries(b.doc).every(([field, value]) => JSON.stringify(a.doc[field]) === JSON.stringify(value))
  );
}

export function fromRow(row: EntityRow): Entity {
  return {
    ...row,
    last_reported_at: row.last_reported_at?.toISOString() ?? null,
    owned_since: row.owned_since.toISOString(),
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
  };
}
