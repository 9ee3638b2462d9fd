import { EDGE, GRAIN, ROLLUP_SCOPE, THING_KINDS, type ThingKind } from '../../../metrics/measures.ts';
import { dayOf } from '../gpu-day.ts';
import type { ImportConnection } from '../import-connection.ts';
import { type Owner, sameOwner, scopesOf } from './rollup-scope.ts';

/** What the counts know of a thing. The times are RFC 3339 UTC with milliseconds. */
export interface Counted {
  owner: Owner;
  firstSeen: string;
  lastSeen: string;
  /** GPUs: when this one is missing unless it is heard again. */
  silentFrom?: string | null;
}

interface StoredCount {
  scope_kind: number;
  api_key_id: number;
  workspace_id: number;
  kind: number;
  edge: number;
  grain: number;
  bucket: Date;
  n: number;
  offset_ms: number;
}

const HOUR_MS = 3_600_000;
/** A workspace is a thing of its customer and of itself; under an API key it is counted as the key's own. */
const SCOPES_OF_KIND: Partial<Record<ThingKind, readonly number[]>> = {
  workspace: [ROLLUP_SCOPE.customer, ROLLUP_SCOPE.workspace],
  key_workspace: [ROLLUP_SCOPE.apiKey],
};

/**
 * What a batch changes in `fleet.thing_counts`: two histograms, of first and of last sightings, from which the
 * number of things seen in any window follows without reading things; and one of the moments at which GPUs fell silent.
 */
export class ThingCounts {
  private readonly deltas = new Map<string, { n: number; offsetMs: number }>();

  /** A thing is new, or was seen earlier, later or elsewhere than it was known. */
  move(kind: ThingKind, before: Counted | null, after: Counted): void {
    if (before !== null && sameBuckets(before, after)) return;
    if (before !== null) this.add(kind, before, -1);
    this.add(kind, after, 1);
  }

  /** A thing that is not counted yet. */
  count(kind: ThingKind, thing: Counted): void {
    this.add(kind, thing, 1);
  }

  /** A thing is no longer known. */
  forget(kind: ThingKind, thing: Counted): void {
    this.add(kind, thing, -1);
  }

  /** Leaves of what was counted here the difference to what is stored. */
  async subtractKnown(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<void> {
    const rows = await connection.query<StoredCount>(
      `SELECT c.scope_kind, c.api_key_id, c.workspace_id, c.kind, c.edge, c.grain, c.bucket, c.n, c.offset_ms
       FROM fleet.thing_counts c WHERE c.customer_id = $1 AND (c.n <> 0 OR c.offset_ms <> 0)`,
      [customerId],
    );
    for (const { scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms } of rows)
      this.change(
        `${scope_kind} ${api_key_id} ${workspace_id} ${kind} ${edge} ${grain} ${bucket.getTime()}`,
        -n,
        -offset_ms,
      );
  }

  /** @returns how many rows it changed */
  async write(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<number> {
    const rows = [...this.deltas]
      .filter(([, { n, offsetMs }]) => n !== 0 || offsetMs !== 0)
      .map(([key, { n, offsetMs }]) => [...key.split(' ').map(Number), n, offsetMs]);
    this.deltas.clear();
    if (rows.length === 0) return 0;
    await connection.query(
      `INSERT INTO fleet.thing_counts AS known (customer_id, scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms)
       SELECT $1, scope_kind, api_key_id, workspace_id, kind, edge, grain, to_timestamp(bucket_ms / 1000), n, offset_ms
       FROM unnest($2::smallint[], $3::integer[], $4::integer[], $5::smallint[], $6::smallint[], $7::smallint[], $8::float8[],
                   $9::bigint[], $10::float8[])
         AS staged (scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket_ms, n, offset_ms)
       ON CONFLICT (customer_id, scope_kind, api_key_id, workspace_id, edge, grain, kind, bucket)
       DO UPDATE SET n = known.n + excluded.n, offset_ms = known.offset_ms + excluded.offset_ms`,
      [customerId, ...Array.from({ length: 9 }, (_unused, column) => rows.map((row) => row[column]))],
    );
    return rows.length;
  }

  private add(kind: ThingKind, { owner, firstSeen, lastSeen, silentFrom }: Counted, n: 1 | -1): void {
    for (const grain of [GRAIN.month, GRAIN.day]) {
      this.addEdge(kind, owner, EDGE.first, grain, Date.parse(firstSeen), n);
      this.addEdge(kind, owner, EDGE.last, grain, Date.parse(lastSeen), n);
    }
    if (silentFrom == null) return;
    for (const grain of [GRAIN.day, GRAIN.hour])
      this.addEdge(kind, owner, EDGE.silent, grain, Date.parse(silentFrom), n);
  }

  private addEdge(kind: ThingKind, owner: Owner, edge: number, grain: number, atMs: number, n: 1 | -1): void {
    const bucketMs = bucketOf(grain, atMs);
    const offsetMs = edge === EDGE.silent ? n * (atMs - bucketMs) : 0;
    const kept = SCOPES_OF_KIND[kind];
    for (const scope of scopesOf(owner)) {
      if (kept !== undefined && !kept.includes(scope[0])) continue;
      this.change(
        `${scope.join(' ')} ${THING_KINDS.indexOf(kind)} ${edge} ${grain} ${bucketMs}`,
        n,
        offsetMs,
      );
    }
  }

  private change(key: string, n: number, offsetMs: number): void {
    const delta = this.deltas.get(key);
    if (delta === undefined) this.deltas.set(key, { n, offsetMs });
    else {
      delta.n += n;
      delta.offsetMs += offsetMs;
    }
  }
}

function bucketOf(grain: number, atMs: number): number {
  if (grain === GRAIN.hour) return Math.floor(atMs / HOUR_MS) * HOUR_MS;
  if (grain === GRAIN.day) return dayOf(atMs);
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
}

/** Most sightings change nothing that is counted. The head of a time is its day. */
function sameBuckets(before: Counted, after: Counted): boolean {
  return (
    before.firstSeen.slice(0, 10) === after.firstSeen.slice(0, 10) &&
    before.lastSeen.slice(0, 10) === after.lastSeen.slice(0, 10) &&
    (before.silentFrom ?? null) === (after.silentFrom ?? null) &&
    sameOwner(before.owner, after.owner)
  );
}
