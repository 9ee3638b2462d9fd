import { HOUR_MS } from '@gpu-observatory/domain-types';
import { EDGE, ENTITY_KINDS, type EntityKind } from '../../../model/metrics/counted-entities.ts';
import { type Owner, ROLLUP_SCOPE, sameOwner, scopesOf } from '../../../model/metrics/rollup-scope.ts';
import { dayStart, GRAIN } from '../../../model/metrics/time-grains.ts';
import type { ImportConnection } from '../import-connection.ts';

/** Properties of an entity that the counts depend on. Times are RFC 3339 UTC with milliseconds. */
export interface CountedEntity extends Owner {
  first_seen: string;
  last_seen: string;
  /** GPUs: when it goes missing unless it sends another sample; null without samples. */
  missing_at?: string | null;
}

interface CountRow {
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

/** Scopes of kinds that are not counted in all of them: an API key counts its workspaces as `key_workspace`. */
const SCOPES_OF_KIND: Partial<Record<EntityKind, readonly number[]>> = {
  workspace: [ROLLUP_SCOPE.customer, ROLLUP_SCOPE.workspace],
  key_workspace: [ROLLUP_SCOPE.apiKey],
};

/** The histograms, each with the time of an entity that it counts. */
const EDGES: readonly {
  edge: number;
  grains: readonly number[];
  timeOf: (entity: CountedEntity) => string | null | undefined;
}[] = [
  { edge: EDGE.first, grains: [GRAIN.month, GRAIN.day], timeOf: ({ first_seen }) => first_seen },
  { edge: EDGE.last, grains: [GRAIN.month, GRAIN.day], timeOf: ({ last_seen }) => last_seen },
  { edge: EDGE.missing, grains: [GRAIN.day, GRAIN.hour], timeOf: ({ missing_at }) => missing_at },
];

/** Reads the counts of `fleet.entity_counts` that are not 0, by customer. */
const READ_COUNTS = `SELECT c.scope_kind, c.api_key_id, c.workspace_id, c.kind, c.edge, c.grain, c.bucket, c.n, c.offset_ms
  FROM fleet.entity_counts c WHERE c.customer_id = $1 AND (c.n <> 0 OR c.offset_ms <> 0)`;

/** Columns that identify a histogram of a customer. */
const HISTOGRAM_KEY = 'scope_kind, api_key_id, workspace_id, kind, edge, grain';
const VALUE_COUNT = `${HISTOGRAM_KEY}, bucket, n, offset_ms`.split(', ').length;
/** Adds differences to `fleet.entity_counts`, by customer, scope, edge, grain, kind and bucket. */
const ADD_COUNTS = `INSERT INTO fleet.entity_counts AS stored (customer_id, ${HISTOGRAM_KEY}, bucket, n, offset_ms)
  SELECT $1, ${HISTOGRAM_KEY}, to_timestamp(bucket_ms / 1000), n, offset_ms
  FROM unnest($2::smallint[], $3::integer[], $4::integer[], $5::smallint[], $6::smallint[], $7::smallint[], $8::float8[],
              $9::bigint[], $10::float8[])
    AS staged (${HISTOGRAM_KEY}, bucket_ms, n, offset_ms)
  ON CONFLICT (customer_id, scope_kind, api_key_id, workspace_id, edge, grain, kind, bucket)
  DO UPDATE SET n = stored.n + excluded.n, offset_ms = stored.offset_ms + excluded.offset_ms`;

/**
 * Changes of a batch to `fleet.entity_counts`: histograms of when entities were first and last seen, which give the number
 * seen in any window, and of when GPUs went missing (docs/decisions/telemetry-rollups.md).
 */
export class EntityCounts {
  /** By the values of `HISTOGRAM_KEY` and the bucket in ms, with a blank between them. */
  private readonly deltas = new Map<string, { n: number; offsetMs: number }>();

  /** Adds a new entity, or moves one whose owner or times have changed. */
  move(kind: EntityKind, before: CountedEntity | null, after: CountedEntity): void {
    if (before === null) this.add(kind, after);
    else if (sameOwner(before, after)) {
      if (!sameBuckets(before, after)) this.shift(kind, after, before, after);
    } else {
      this.remove(kind, before);
      this.add(kind, after);
    }
  }

  add(kind: EntityKind, entity: CountedEntity): void {
    this.shift(kind, entity, null, entity);
  }

  remove(kind: EntityKind, entity: CountedEntity): void {
    this.shift(kind, entity, entity, null);
  }

  /** Subtracts the stored counts, so that the difference to them remains. */
  async subtractStored(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<void> {
    const rows = await connection.query<CountRow>(READ_COUNTS, [customerId]);
    for (const { scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms } of rows)
      this.change(
        `${scope_kind} ${api_key_id} ${workspace_id} ${kind} ${edge} ${grain} ${bucket.getTime()}`,
        -n,
        -offset_ms,
      );
  }

  /** @returns the number of changed rows */
  async write(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<number> {
    const rows = [...this.deltas]
      .filter(([, { n, offsetMs }]) => n !== 0 || offsetMs !== 0)
      .map(([key, { n, offsetMs }]) => [...key.split(' ').map(Number), n, offsetMs]);
    this.deltas.clear();
    if (rows.length === 0) return 0;
    await connection.query(ADD_COUNTS, [
      customerId,
      ...Array.from({ length: VALUE_COUNT }, (_unused, column) => rows.map((row) => row[column])),
    ]);
    return rows.length;
  }

  /** Moves an entity in the histograms of an owner; null if it was not counted before, or is not counted after. */
  private shift(
    kind: EntityKind,
    owner: Owner,
    before: CountedEntity | null,
    after: CountedEntity | null,
  ): void {
    const countedScopes = SCOPES_OF_KIND[kind];
    const scopes = scopesOf(owner).filter(([scopeKind]) => countedScopes?.includes(scopeKind) ?? true);
    for (const { edge, grains, timeOf } of EDGES) {
      const timeBefore = before && timeOf(before);
      const timeAfter = after && timeOf(after);
      if (timeBefore === timeAfter) continue;
      for (const grain of grains) {
        const from = bucketPosition(edge, grain, timeBefore);
        const to = bucketPosition(edge, grain, timeAfter);
        for (const scope of scopes)
          this.moveToBucket(`${scope.join(' ')} ${ENTITY_KINDS.indexOf(kind)} ${edge} ${grain}`, from, to);
      }
    }
  }

  /** @param histogram the values of `HISTOGRAM_KEY` with a blank between them */
  private moveToBucket(histogram: string, from: BucketPosition | null, to: BucketPosition | null): void {
    if (from !== null && to !== null && from.bucketMs === to.bucketMs) {
      if (from.offsetMs !== to.offsetMs)
        this.change(`${histogram} ${to.bucketMs}`, 0, to.offsetMs - from.offsetMs);
      return;
    }
    if (from !== null) this.change(`${histogram} ${from.bucketMs}`, -1, -from.offsetMs);
    if (to !== null) this.change(`${histogram} ${to.bucketMs}`, 1, to.offsetMs);
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

/** A bucket of a histogram and, for the missing edge, the time from the start of the bucket to the edge. */
interface BucketPosition {
  bucketMs: number;
  offsetMs: number;
}

/** Returns the position of a time; null without a time. */
function bucketPosition(edge: number, grain: number, at: string | null | undefined): BucketPosition | null {
  if (at == null) return null;
  const atMs = Date.parse(at);
  const bucketMs = bucketOf(grain, atMs);
  return { bucketMs, offsetMs: edge === EDGE.missing ? atMs - bucketMs : 0 };
}

function bucketOf(grain: number, atMs: number): number {
  if (grain === GRAIN.hour) return Math.floor(atMs / HOUR_MS) * HOUR_MS;
  if (grain === GRAIN.day) return dayStart(atMs);
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
}

/** Returns whether no count changes, as for most reports. The first 10 characters of a time are its day. */
function sameBuckets(before: CountedEntity, after: CountedEntity): boolean {
  return (
    before.first_seen.slice(0, 10) === after.first_seen.slice(0, 10) &&
    before.last_seen.slice(0, 10) === after.last_seen.slice(0, 10) &&
    (before.missing_at ?? null) === (after.missing_at ?? null)
  );
}
