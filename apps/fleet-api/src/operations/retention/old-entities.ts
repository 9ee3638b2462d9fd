import type pg from 'pg';
import { EntityCounts } from '../../importer/write/rollups/entity-counts.ts';
import { fromRow, type EntityRow } from '../../importer/write/entities/entity-cache.ts';
import { asImporter } from '../as-importer.ts';
import { importTransaction } from '../import-transaction.ts';
import { GRACE } from './old-partitions.ts';

/** Entities per transaction, which the customer's imports wait for. */
const PAGE_SIZE = 5_000;

interface EntityKey {
  kind: string;
  entity_id: string;
}

/** Returns the start of the first month within the retention, rounded as for monthly partitions. */
export async function retentionMonthStart(client: pg.Client, retention: string): Promise<string> {
  const { rows } = await client.query<{ start: Date }>(
    `SELECT date_trunc('month', now() - $1::interval - interval '${GRACE}', 'UTC') AS start`,
    [retention],
  );
  return (rows[0] as { start: Date }).start.toISOString();
}

/**
 * Deletes a customer's entities that were last seen before a time, and removes each from the histograms of first and last observations.
 * In a window after that time, the two observations cancel out, so its counts do not change.
 *
 * @returns the number of deleted entities
 */
export async function deleteOldEntities(
  client: pg.Client,
  customerId: number,
  before: string,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<number> {
  if (dryRun) {
    const { rowCount } = await client.query(
      'SELECT FROM fleet.entities WHERE customer_id = $1 AND last_seen < $2',
      [customerId, before],
    );
    return rowCount ?? 0;
  }
  let deleted = 0;
  let page: EntityKey[] = [];
  do {
    page = await oldEntities(client, customerId, before, page.at(-1) ?? { kind: '', entity_id: '' });
    if (page.length > 0) deleted += await deletePage(client, customerId, before, page);
  } while (page.length === PAGE_SIZE);
  // Empty rows remain after entities were deleted or moved to another day.
  await client.query(
    'DELETE FROM fleet.entity_counts WHERE customer_id = $1 AND bucket < $2 AND n = 0 AND offset_ms = 0',
    [customerId, before],
  );
  return deleted;
}

/** Reads the next page of keys without a lock. */
async function oldEntities(
  client: pg.Client,
  customerId: number,
  before: string,
  after: EntityKey,
): Promise<EntityKey[]> {
  const { rows } = await client.query<EntityKey>(
    `SELECT t.kind, t.entity_id FROM fleet.entities t
     WHERE t.customer_id = $1 AND (t.kind, t.entity_id) > ($2, $3) AND t.last_seen < $4
     ORDER BY t.kind, t.entity_id LIMIT ${PAGE_SIZE}`,
    [customerId, after.kind, after.entity_id, before],
  );
  return rows;
}

/** Deletes the entities of a page that were not seen again since it was read, in a transaction like an import. */
async function deletePage(
  client: pg.Client,
  customerId: number,
  before: string,
  page: readonly EntityKey[],
): Promise<number> {
  let deleted = 0;
  await importTransaction(client, customerId, async () => {
    const { rows } = await client.query<EntityRow>(
      `DELETE FROM fleet.entities e USING unnest($2::text[], $3::text[]) AS old (kind, entity_id)
       WHERE e.customer_id = $1 AND e.kind = old.kind AND e.entity_id = old.entity_id AND e.last_seen < $4
       RETURNING e.kind, e.entity_id, e.workspace_id, e.api_key_id, e.last_reported_at, e.owned_since, e.first_seen, e.last_seen, e.doc`,
      [customerId, page.map(({ kind }) => kind), page.map(({ entity_id }) => entity_id), before],
    );
    const counts = new EntityCounts();
    for (const row of rows) counts.remove(row.kind, fromRow(row));
    await counts.write(asImporter(client), customerId);
    deleted = rows.length;
    return deleted > 0;
  });
  return deleted;
}
