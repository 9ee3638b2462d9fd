import type { ImportConnection } from '../import-connection.ts';
import { type Owner, sameOwner } from '../../../model/metrics/rollup-scope.ts';
import type { ThingCounts } from '../rollups/entity-counts.ts';
import {
  countedThing,
  type KeptKind,
  precedes,
  sight,
  type Sighting,
  tell,
  type Telling,
  type Thing,
} from './entity.ts';

/** More than these are not kept in memory from batch to batch: processes come and go without end. */
const REMEMBERED = 50_000;

export interface ThingRow {
  kind: KeptKind;
  entity_id: string;
  workspace_id: number | null;
  api_key_id: number | null;
  last_reported_at: Date | null;
  owned_since: Date;
  first_seen: Date;
  last_seen: Date;
  doc: Record<string, unknown>;
}

/**
 * The things of one customer other than GPUs. Those that an import has touched stay in memory for as long as nobody else
 * wrote for the customer, which the position tells (`BatchWriter`).
 */
export class Things {
  private readonly known = new Map<string, Thing | null>();
  /** What the batch saw of things by records about others, by kind and id: looked up for every sample. */
  private readonly sightings = new Map<KeptKind, Map<string, Sighting>>();
  /** What the counts hold of the things that the batch has changed. */
  private readonly before = new Map<string, Thing | null>();

  constructor(
    private readonly connection: Pick<ImportConnection, 'query'>,
    private readonly customerId: number,
  ) {}

  /** A thing was there at this time, by a record about something else. */
  see(kind: KeptKind, id: string, at: string, owner: Owner): void {
    let ofKind = this.sightings.get(kind);
    if (ofKind === undefined) this.sightings.set(kind, (ofKind = new Map()));
    const seen = ofKind.get(id);
    if (seen === undefined) {
      ofKind.set(id, { kind, id, owner, firstAt: at, lastAt: at });
      return;
    }
    if (at < seen.firstAt || (at === seen.firstAt && precedes(owner, seen.owner))) {
      seen.firstAt = at;
      seen.owner = owner;
    }
    if (at > seen.lastAt) seen.lastAt = at;
  }

  /** A record of this owner came from a host; none where it names none. */
  seeOwner(hostname: string | undefined, at: string, owner: Owner): void {
    if (hostname) this.see('host', hostname, at, owner);
    const { workspaceId, apiKeyId } = owner;
    if (workspaceId === null) return;
    this.see('workspace', `${workspaceId}`, at, { workspaceId, apiKeyId: null });
    if (apiKeyId !== null) this.see('key_workspace', `${workspaceId} ${apiKeyId}`, at, owner);
  }

  /** Reads the things that are not in memory yet. */
  async load(wanted: readonly { kind: KeptKind; id: string }[]): Promise<void> {
    const missing = new Map(
      wanted.map((one) => [`${one.kind} ${one.id}`, one] as const).filter(([key]) => !this.known.has(key)),
    );
    if (missing.size === 0) return;
    for (const key of missing.keys()) this.known.set(key, null);
    const rows = await this.connection.query<ThingRow>(
      `SELECT t.kind, t.entity_id, t.workspace_id, t.api_key_id, t.last_reported_at, t.owned_since, t.first_seen, t.last_seen, t.doc
       FROM unnest($2::text[], $3::text[]) AS wanted (kind, entity_id)
       JOIN fleet.entities t ON t.customer_id = $1 AND t.kind = wanted.kind AND t.entity_id = wanted.entity_id`,
      [
        this.customerId,
        [...missing.values()].map(({ kind }) => kind),
        [...missing.values()].map(({ id }) => id),
      ],
    );
    for (const row of rows) this.known.set(`${row.kind} ${row.entity_id}`, fromRow(row));
  }

  /**
   * Takes a record about a thing that was loaded.
   *
   * @returns whether it said anything new, or the field in which it contradicts one of the very same time
   */
  tell(telling: Telling): { changed: boolean } | { conflict: string } {
    const { thing, conflict } = tell(this.get(telling), telling);
    return conflict === null ? { changed: this.keep(thing) } : { conflict };
  }

  /**
   * Writes everything that the batch has told and seen, and what it changes in the counts.
   *
   * @returns how many things it changed
   */
  async write(counts: ThingCounts): Promise<number> {
    const sightings = [...this.sightings.values()].flatMap((ofKind) => [...ofKind.values()]);
    this.sightings.clear();
    await this.load(sightings);
    for (const sighting of sightings) this.keep(sight(this.get(sighting), sighting));
    const changed = [...this.before.keys()].map((key) => this.known.get(key) as Thing);
    for (const thing of changed) {
      const before = this.before.get(`${thing.kind} ${thing.id}`) ?? null;
      counts.move(thing.kind, before && countedThing(before), countedThing(thing));
    }
    this.before.clear();
    await this.upsert(changed);
    if (this.known.size > REMEMBERED) this.known.clear();
    return changed.length;
  }

  private get({ kind, id }: { kind: KeptKind; id: string }): Thing | null {
    return this.known.get(`${kind} ${id}`) ?? null;
  }

  private keep(thing: Thing): boolean {
    const before = this.get(thing);
    if (before !== null && isSame(before, thing)) return false;
    const key = `${thing.kind} ${thing.id}`;
    if (!this.before.has(key)) this.before.set(key, before);
    this.known.set(key, thing);
    return true;
  }

  private async upsert(things: readonly Thing[]): Promise<void> {
    if (things.length === 0) return;
    await this.connection.query(
      `INSERT INTO fleet.entities (customer_id, kind, entity_id, workspace_id, api_key_id, last_reported_at, owned_since, first_seen, last_seen, doc)
       SELECT $1, kind, entity_id, workspace_id, api_key_id, last_reported_at, owned_since, first_seen, last_seen, doc
       FROM jsonb_to_recordset($2) AS staged (kind text, entity_id text, workspace_id integer, api_key_id integer,
         last_reported_at timestamptz, owned_since timestamptz, first_seen timestamptz, last_seen timestamptz, doc jsonb)
       ON CONFLICT (customer_id, kind, entity_id) DO UPDATE SET
         workspace_id = excluded.workspace_id, api_key_id = excluded.api_key_id, last_reported_at = excluded.last_reported_at,
         owned_since = excluded.owned_since, first_seen = excluded.first_seen, last_seen = excluded.last_seen, doc = excluded.doc`,
      [this.customerId, JSON.stringify(things.map(toRow))],
    );
  }
}

function isSame(one: Thing, other: Thing): boolean {
  return (
    one.lastSeen === other.lastSeen &&
    one.firstSeen === other.firstSeen &&
    one.toldAt === other.toldAt &&
    one.homeAt === other.homeAt &&
    sameOwner(one.owner, other.owner) &&
    Object.keys(one.doc).length === Object.keys(other.doc).length &&
    Object.entries(other.doc).every(
      ([field, value]) => JSON.stringify(one.doc[field]) === JSON.stringify(value),
    )
  );
}

function toRow({ kind, id, owner, toldAt, homeAt, firstSeen, lastSeen, doc }: Thing): object {
  return {
    kind,
    entity_id: id,
    workspace_id: owner.workspaceId,
    api_key_id: owner.apiKeyId,
    last_reported_at: toldAt,
    owned_since: homeAt,
    first_seen: firstSeen,
    last_seen: lastSeen,
    doc,
  };
}

export function fromRow(row: ThingRow): Thing {
  return {
    kind: row.kind,
    id: row.entity_id,
    owner: { workspaceId: row.workspace_id, apiKeyId: row.api_key_id },
    toldAt: row.last_reported_at?.toISOString() ?? null,
    homeAt: row.owned_since.toISOString(),
    firstSeen: row.first_seen.toISOString(),
    lastSeen: row.last_seen.toISOString(),
    doc: row.doc,
  };
}
