import { EDGE, GRAIN, ROLLUP_SCOPE, THING_KINDS, type ThingKind } from '../../../model/metrics/measures.ts';
import { dayOf } from '../gpu-day.ts';
import type { ImportConnection } from '../import-connection.ts';
import { type Owner, sameOwner, scopesOf } from '../../../model/metrics/rollup-scope.ts';

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

const EDGES: readonly {
  edge: number;
  grains: readonly number[];
  timeOf: (thing: Counted) => string | null | undefined;
}[] = [
  { edge: EDGE.first, grains: [GRAIN.month, GRAIN.day], timeOf: ({ firstSeen }) => firstSeen },
  { edge: EDGE.last, grains: [GRAIN.month, GRAIN.day], timeOf: ({ lastSeen }) => lastSeen },
  { edge: EDGE.silent, grains: [GRAIN.day, GRAIN.hour], timeOf: ({ silentFrom }) => silentFrom },
];

/**
 * What a batch changes in `fleet.entity_counts`: two histograms, of first and of last sightings, from which the
 * number of things seen in any window follows without reading things; and one of the moments at which GPUs fell silent.
 */
export class ThingCounts {
  private readonly deltas = new Map<string, { n: number; offsetMs: number }>();

  /** A thing is new, or was seen earlier, later or elsewhere than it was known. */
  move(kind: ThingKind, before: Counted | null, after: Counted): void {
    if (before === null) this.shift(kind, after.owner, null, after);
    else if (sameOwner(before.owner, after.owner)) {
      if (!sameBuckets(before, after)) this.shift(kind, after.owner, before, after);
    } else {
      this.shift(kind, before.owner, before, null);
      this.shift(kind, after.owner, null, after);
    }
  }

  /** A thing that is not counted yet. */
  count(kind: ThingKind, thing: Counted): void {
    this.shift(kind, thing.owner, null, thing);
  }

  /** A thing is no longer known. */
  forget(kind: ThingKind, thing: Counted): void {
    this.shift(kind, thing.owner, thing, null);
  }

  /** Leaves of what was counted here the difference to what is stored. */
  async subtractKnown(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<void> {
    const rows = await connection.query<StoredCount>(
      `SELECT c.scope_kind, c.api_key_id, c.workspace_id, c.kind, c.edge, c.grain, c.bucket, c.n, c.offset_ms
       FROM fleet.entity_counts c WHERE c.customer_id = $1 AND (c.n <> 0 OR c.offset_ms <> 0)`,
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
      `INSERT INTO fleet.entity_counts AS known (customer_id, scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms)
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

  private shift(kind: ThingKind, owner: Owner, before: Counted | null, after: Counted | null): void {
    const kept = SCOPES_OF_KIND[kind];
    const scopes = scopesOf(owner).filter(([scopeKind]) => kept === undefined || kept.includes(scopeKind));
    for (const { edge, grains, timeOf } of EDGES) {
      const [left, entered] = [before && timeOf(before), after && timeOf(after)];
      if (left === entered) continue;
      for (const grain of grains) {
        const [from, to] = [placeOf(edge, grain, left), placeOf(edge, grain, entered)];
        for (const scope of scopes) {
          const row = `${scope.join(' ')} ${THING_KINDS.indexOf(kind)} ${edge} ${grain}`;
          if (from !== null && to !== null && from.bucketMs === to.bucketMs) {
            if (from.offsetMs !== to.offsetMs)
              this.change(`${row} ${to.bucketMs}`, 0, to.offsetMs - from.offsetMs);
            continue;
          }
          if (from !== null) this.change(`${row} ${from.bucketMs}`, -1, -from.offsetMs);
          if (to !== null) this.change(`${row} ${to.bucketMs}`, 1, to.offsetMs);
        }
      }
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

/** The bucket that a time is in, and for silence how far; null for no time. */
function placeOf(
  edge: number,
  grain: number,
  at: string | null | undefined,
): { bucketMs: number; offsetMs: number } | null {
  if (at == null) return null;
  const atMs = Date.parse(at);
  const bucketMs = bucketOf(grain, atMs);
  return { bucketMs, offsetMs: edge === EDGE.silent ? atMs - bucketMs : 0 };
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
    (before.silentFrom ?? null) === (after.silentFrom ?? null)
  );
}
