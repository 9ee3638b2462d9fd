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
  /** Time of the newest sample of a GPU; null for other entities and without samples. */
  last_sample_at: string | null;
  /** 0 for other entities than GPUs. */
  report_interval_seconds: number;
}

/** Query of a page of GPUs of the customer `$1`, after the kind `$2` and the id `$3`. */
const GPUS_PAGE = `SELECT 'gpu' AS kind, g.gpu_id AS id, g.workspace_id, g.api_key_id, g.first_seen, g.last_seen,
    g.health_state->>'at' AS last_sample_at, g.report_interval_seconds
  FROM fleet.gpus g WHERE g.customer_id = $1 AND ('gpu', g.gpu_id) > ($2, $3) ORDER BY g.gpu_id LIMIT ${PAGE_SIZE}`;
/** Query of a page of the other entities, with the same parameters. */
const ENTITIES_PAGE = `SELECT t.kind, t.entity_id AS id, t.workspace_id, t.api_key_id, t.first_seen, t.last_seen, NULL AS last_sample_at,
    0 AS report_interval_seconds
  FROM fleet.entities t WHERE t.customer_id = $1 AND (t.kind, t.entity_id) > ($2, $3) ORDER BY t.kind, t.entity_id LIMIT ${PAGE_SIZE}`;

/** Corrects the counts of the GPUs and other entities of a customer. @returns the number of wrong rows */
export async function recountEntities(client: pg.Client, customerId: number): Promise<number> {
  const counts = new EntityCounts();
  for (const pageSql of [GPUS_PAGE, ENTITIES_PAGE]) {
    for await (const row of readPages(client, pageSql, customerId))
      counts.add(row.kind, toCountedEntity(row));
  }
  await counts.subtractStored(asImporter(client), customerId);
  return counts.write(asImporter(client), customerId);
}

/** Yields the rows of all pages. */
async function* readPages(client: pg.Client, pageSql: string, customerId: number): AsyncGenerator<SeenRow> {
  let last: { kind: string; id: string } = { kind: '', id: '' };
  for (;;) {
    const { rows }: pg.QueryResult<SeenRow> = await client.query(pageSql, [customerId, last.kind, last.id]);
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
