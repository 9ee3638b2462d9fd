import { HOUR_MS } from '@gpu-observatory/domain-types';
import { EDGE, ENTITY_KINDS, type EntityKind } from '../../../model/metrics/counted-entities.ts';
import { type Owner, sameOwner, SCOPE_KIND, scopesOf } from '../../../model/metrics/rollup-scope.ts';
import { dayStart, GRAIN } from '../../../model/metrics/time-grains.ts';
import type { ImportConnection } from '../import-connection.ts';

/** Properties of an entity that the counts depend on. Times are RFC 3339 UTC with milliseconds. */
export interface CountedEntity extends Owner {
  first_seen: string;
  last_seen: string;
  /** Only for GPUs: time at which the GPU goes missing unless it sends another sample; null without samples. */
  missing_at?: string | null;
}

/** A bucket of a histogram and, for the missing edge, the time from the start of the bucket to the edge. */
interface BucketPosition {
  bucketMs: number;
  offsetMs: number;
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
  /** Sum of the times from the start of the bucket to the edge, in ms; 0 except for the missing edge. */
  offset_ms: number;
}

const ALL_SCOPES: readonly number[] = Object.values(SCOPE_KIND);
/** Scopes of kinds that are counted in some scopes only. In the scope of an API key, workspaces are counted as `key_workspace`. */
const SCOPES_OF_KIND: Partial<Record<EntityKind, readonly number[]>> = {
  workspace: [SCOPE_KIND.customer, SCOPE_KIND.workspace],
  key_workspace: [SCOPE_KIND.apiKey],
};

/** The edges of an entity, with the grains of their histograms and the time that decides the bucket. */
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
const HISTOGRAM_COLUMNS = ['scope_kind', 'api_key_id', 'workspace_id', 'kind', 'edge', 'grain'];
const HISTOGRAM_KEY = HISTOGRAM_COLUMNS.join(', ');
const COLUMN_COUNT = [...HISTOGRAM_COLUMNS, 'bucket', 'n', 'offset_ms'].length;
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
  /** Differences by key: the values of `HISTOGRAM_COLUMNS` and the bucket in ms, separated by spaces. */
  private readonly deltas = new Map<string, { n: number; offsetMs: number }>();

  /** Adds an entity that is new (`before` is null), or updates one whose owner or times may have changed. */
  update(kind: EntityKind, before: CountedEntity | null, after: CountedEntity): void {
    if (before === null) {
      this.add(kind, after);
    } else if (!sameOwner(before, after)) {
      this.remove(kind, before);
      this.add(kind, after);
    } else if (!sameBuckets(before, after)) {
      this.changeHistograms(kind, after, before, after);
    }
  }

  add(kind: EntityKind, entity: CountedEntity): void {
    this.changeHistograms(kind, entity, null, entity);
  }

  remove(kind: EntityKind, entity: CountedEntity): void {
    this.changeHistograms(kind, entity, entity, null);
  }

  /** Subtracts the stored counts from the collected ones, so that `write` only adds the difference when counts are rebuilt. */
  async subtractStored(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<void> {
    const rows = await connection.query<CountRow>(READ_COUNTS, [customerId]);
    for (const { scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms } of rows)
      this.addDelta(
        `${scope_kind} ${api_key_id} ${workspace_id} ${kind} ${edge} ${grain} ${bucket.getTime()}`,
        -n,
        -offset_ms,
      );
  }

  /** Adds the differences to the stored counts, and clears them. @returns the number of changed rows */
  async write(connection: Pick<ImportConnection, 'query'>, customerId: number): Promise<number> {
    const rows = [...this.deltas]
      .filter(([, { n, offsetMs }]) => n !== 0 || offsetMs !== 0)
      .map(([key, { n, offsetMs }]) => [...key.split(' ').map(Number), n, offsetMs]);
    this.deltas.clear();
    if (rows.length === 0) return 0;
    // `unnest` takes an array per column.
    const columns = Array.from({ length: COLUMN_COUNT }, (_unused, column) => rows.map((row) => row[column]));
    await connection.query(ADD_COUNTS, [customerId, ...columns]);
    return rows.length;
  }

  /** Replaces an entity in the histograms of an owner. `before` is null when it is added, `after` when it is removed. */
  private changeHistograms(
    kind: EntityKind,
    owner: Owner,
    before: CountedEntity | null,
    after: CountedEntity | null,
  ): void {
    const countedScopes = SCOPES_OF_KIND[kind] ?? ALL_SCOPES;
    const scopes = scopesOf(owner).filter(([scopeKind]) => countedScopes.includes(scopeKind));
    for (const { edge, grains, timeOf } of EDGES) {
      const timeBefore = before && timeOf(before);
      const timeAfter = after && timeOf(after);
      if (timeBefore === timeAfter) continue;
      for (const grain of grains) {
        const from = bucketPosition(edge, grain, timeBefore);
        const to = bucketPosition(edge, grain, timeAfter);
        for (const scope of scopes)
          this.changeBuckets(`${scope.join(' ')} ${ENTITY_KINDS.indexOf(kind)} ${edge} ${grain}`, from, to);
      }
    }
  }

  /**
   * Moves an entity between the buckets of a histogram; null when it was or will be in none.
   *
   * @param histogram the values of `HISTOGRAM_COLUMNS`, separated by spaces
   */
  private changeBuckets(histogram: string, from: BucketPosition | null, to: BucketPosition | null): void {
    if (from !== null && to !== null && from.bucketMs === to.bucketMs) {
      if (from.offsetMs !== to.offsetMs)
        this.addDelta(`${histogram} ${to.bucketMs}`, 0, to.offsetMs - from.offsetMs);
      return;
    }
    if (from !== null) this.addDelta(`${histogram} ${from.bucketMs}`, -1, -from.offsetMs);
    if (to !== null) this.addDelta(`${histogram} ${to.bucketMs}`, 1, to.offsetMs);
  }

  private addDelta(key: string, n: number, offsetMs: number): void {
    const delta = this.deltas.get(key);
    if (delta === undefined) this.deltas.set(key, { n, offsetMs });
    else {
      delta.n += n;
      delta.offsetMs += offsetMs;
    }
  }
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

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Returns whether no count changes, as for most reports. The day is the finest grain of first and last seen; `missing_at` must be
 * equal, because its offset is counted too.
 */
function sameBuckets(before: CountedEntity, after: CountedEntity): boolean {
  return (
    before.first_seen.slice(0, DAY_LENGTH) === after.first_seen.slice(0, DAY_LENGTH) &&
    before.last_seen.slice(0, DAY_LENGTH) === after.last_seen.slice(0, DAY_LENGTH) &&
    (before.missing_at ?? null) === (after.missing_at ?? null)
  );
}
