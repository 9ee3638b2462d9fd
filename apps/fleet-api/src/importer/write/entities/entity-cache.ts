import { type Owner, sameOwner } from '../../../model/metrics/rollup-scope.ts';
import type { ImportConnection } from '../import-connection.ts';
import type { EntityCounts } from '../rollups/entity-counts.ts';
import {
  applyMention,
  applyObservation,
  countedEntity,
  type Entity,
  type Mention,
  type Observation,
  precedes,
  type StoredEntityKind,
} from './entity.ts';

/** Above this size the cache is cleared after a batch: the number of processes is unbounded. */
const MAX_CACHED_ENTITIES = 50_000;

export interface EntityRow {
  kind: StoredEntityKind;
  entity_id: string;
  workspace_id: number | null;
  api_key_id: number | null;
  last_reported_at: Date | null;
  owned_since: Date;
  first_seen: Date;
  last_seen: Date;
  doc: Record<string, unknown>;
}

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
  private readonly entities = new Map<string, Entity | null>();
  /** Mentions in the batch, by kind and id: looked up for every sample. */
  private readonly mentions = new Map<StoredEntityKind, Map<string, Mention>>();
  /** The entities that the batch has changed, as the counts include them. */
  private readonly before = new Map<string, Entity | null>();

  constructor(
    private readonly connection: Pick<ImportConnection, 'query'>,
    private readonly customerId: number,
  ) {}

  /** Adds a mention of this entity by a record of another entity. */
  recordSeen(kind: StoredEntityKind, id: string, at: string, owner: Owner): void {
    let ofKind = this.mentions.get(kind);
    if (ofKind === undefined) this.mentions.set(kind, (ofKind = new Map()));
    const mention = ofKind.get(id);
    if (mention === undefined) {
      ofKind.set(id, { kind, id, owner, firstAt: at, lastAt: at });
      return;
    }
    if (at < mention.firstAt || (at === mention.firstAt && precedes(owner, mention.owner))) {
      mention.firstAt = at;
      mention.owner = owner;
    }
    if (at > mention.lastAt) mention.lastAt = at;
  }

  /** Records the host, if given, and the workspace and API key of a record. */
  recordOwnerSeen(hostname: string | undefined, at: string, owner: Owner): void {
    if (hostname) this.recordSeen('host', hostname, at, owner);
    const { workspaceId, apiKeyId } = owner;
    if (workspaceId === null) return;
    this.recordSeen('workspace', `${workspaceId}`, at, { workspaceId, apiKeyId: null });
    if (apiKeyId !== null) this.recordSeen('key_workspace', `${workspaceId} ${apiKeyId}`, at, owner);
  }

  /** Reads entities that are not cached. */
  async load(keys: readonly { kind: StoredEntityKind; id: string }[]): Promise<void> {
    const missing = new Map(
      keys.map((key) => [`${key.kind} ${key.id}`, key] as const).filter(([key]) => !this.entities.has(key)),
    );
    if (missing.size === 0) return;
    for (const key of missing.keys()) this.entities.set(key, null);
    const rows = await this.connection.query<EntityRow>(READ_ENTITIES, [
      this.customerId,
      [...missing.values()].map(({ kind }) => kind),
      [...missing.values()].map(({ id }) => id),
    ]);
    for (const row of rows) this.entities.set(`${row.kind} ${row.entity_id}`, fromRow(row));
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
    const mentions = [...this.mentions.values()].flatMap((ofKind) => [...ofKind.values()]);
    this.mentions.clear();
    await this.load(mentions);
    for (const mention of mentions) this.replace(applyMention(this.get(mention), mention));
    const changed = [...this.before.keys()].map((key) => this.entities.get(key) as Entity);
    for (const entity of changed) {
      const before = this.before.get(`${entity.kind} ${entity.id}`) ?? null;
      counts.move(entity.kind, before && countedEntity(before), countedEntity(entity));
    }
    this.before.clear();
    await this.writeRows(changed);
    if (this.entities.size > MAX_CACHED_ENTITIES) this.entities.clear();
    return changed.length;
  }

  private get({ kind, id }: { kind: StoredEntityKind; id: string }): Entity | null {
    return this.entities.get(`${kind} ${id}`) ?? null;
  }

  private replace(entity: Entity): boolean {
    const before = this.get(entity);
    if (before !== null && isSame(before, entity)) return false;
    const key = `${entity.kind} ${entity.id}`;
    if (!this.before.has(key)) this.before.set(key, before);
    this.entities.set(key, entity);
    return true;
  }

  private async writeRows(entities: readonly Entity[]): Promise<void> {
    if (entities.length === 0) return;
    await this.connection.query(WRITE_ENTITIES, [this.customerId, JSON.stringify(entities.map(toRow))]);
  }
}

function isSame(a: Entity, b: Entity): boolean {
  return (
    a.lastSeen === b.lastSeen &&
    a.firstSeen === b.firstSeen &&
    a.lastReportedAt === b.lastReportedAt &&
    a.ownedSince === b.ownedSince &&
    sameOwner(a.owner, b.owner) &&
    Object.keys(a.doc).length === Object.keys(b.doc).length &&
    Object.entries(b.doc).every(([field, value]) => JSON.stringify(a.doc[field]) === JSON.stringify(value))
  );
}

function toRow({ kind, id, owner, lastReportedAt, ownedSince, firstSeen, lastSeen, doc }: Entity): object {
  return {
    kind,
    entity_id: id,
    workspace_id: owner.workspaceId,
    api_key_id: owner.apiKeyId,
    last_reported_at: lastReportedAt,
    owned_since: ownedSince,
    first_seen: firstSeen,
    last_seen: lastSeen,
    doc,
  };
}

export function fromRow(row: EntityRow): Entity {
  return {
    kind: row.kind,
    id: row.entity_id,
    owner: { workspaceId: row.workspace_id, apiKeyId: row.api_key_id },
    lastReportedAt: row.last_reported_at?.toISOString() ?? null,
    ownedSince: row.owned_since.toISOString(),
    firstSeen: row.first_seen.toISOString(),
    lastSeen: row.last_seen.toISOString(),
    doc: row.doc,
  };
}
