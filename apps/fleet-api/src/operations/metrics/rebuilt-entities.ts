import type pg from 'pg';
import { missingTimeoutMs } from '../../model/health/missing-data-timeout.ts';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import { type CountedEntity, EntityCounts } from '../../importer/write/rollups/entity-counts.ts';
import type { EntityKind } from '../../model/metrics/counted-entities.ts';
import { asImporter } from '../as-importer.ts';

/** Rows per query. */
const PAGE_SIZE = 10_000;

interface SeenRow {
  kind: EntityKind;
  id: string;
  workspace_id: number | null;
  api_key_id: number | null;
  first_seen: Date;
  last_seen: Date;
  /** GPUs: time of the newest sample, and the report interval. */
  last_sample_at: string | null;
  report_interval_seconds: number;
}

/** Pages of rows after a kind and an id (`$2`, `$3`). */
const GPUS = `SELECT 'gpu' AS kind, g.gpu_id AS id, g.workspace_id, g.api_key_id, g.first_seen, g.last_seen,
    g.health_state->>'at' AS last_sample_at, g.report_interval_seconds
  FROM fleet.gpus g WHERE g.customer_id = $1 AND ('gpu', g.gpu_id) > ($2, $3) ORDER BY g.gpu_id LIMIT ${PAGE_SIZE}`;
const ENTITIES = `SELECT t.kind, t.entity_id AS id, t.workspace_id, t.api_key_id, t.first_seen, t.last_seen, NULL AS last_sample_at,
    0 AS report_interval_seconds
  FROM fleet.entities t WHERE t.customer_id = $1 AND (t.kind, t.entity_id) > ($2, $3) ORDER BY t.kind, t.entity_id LIMIT ${PAGE_SIZE}`;

/** Recounts the GPUs and other entities of a customer. @returns the number of wrong rows */
export async function recountEntities(client: pg.Client, customerId: number): Promise<number> {
  const counts = new EntityCounts();
  for (const page of [GPUS, ENTITIES]) {
    for await (const row of rowsOf(client, page, customerId)) counts.add(row.kind, toCountedEntity(row));
  }
  await counts.subtractStored(asImporter(client), customerId);
  return counts.write(asImporter(client), customerId);
}

async function* rowsOf(client: pg.Client, page: string, customerId: number): AsyncGenerator<SeenRow> {
  let last: { kind: string; id: string } = { kind: '', id: '' };
  for (;;) {
    const { rows }: pg.QueryResult<SeenRow> = await client.query(page, [customerId, last.kind, last.id]);
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1) as SeenRow;
  }
}

function toCountedEntity(row: SeenRow): CountedEntity {
  const missingMs =
    row.last_sample_at === null
      ? null
      : Date.parse(row.last_sample_at) + missingTimeoutMs(row.report_interval_seconds);
  return {
    ...ownerOf(row),
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
    missing_at: missingMs === null ? null : new Date(missingMs).toISOString(),
  };
}
