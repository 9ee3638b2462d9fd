import type pg from 'pg';
import { EntityCounts } from '../../importer/write/rollups/entity-counts.ts';
import { countedEntity } from '../../importer/write/entities/entity.ts';
import { fromRow, type EntityRow } from '../../importer/write/entities/entity-cache.ts';
import { advanceDataVersions } from '../advance-data-versions.ts';
import { asImporter } from '../owner-connection.ts';
import { GRACE } from './old-partitions.ts';

/** So many at a time: a customer's imports wait for one such transaction. */
const BATCH = 5_000;

/** Where the months begin of which anything is kept, as for partitions of a month. */
export async function retentionMonthStart(client: pg.Client, kept: string): Promise<string> {
  const { rows } = await client.query<{ begin: Date }>(
    `SELECT date_trunc('month', now() - $1::interval - interval '${GRACE}', 'UTC') AS begin`,
    [kept],
  );
  return (rows[0] as { begin: Date }).begin.toISOString();
}

/**
 * Forgets a customer's things that were last seen before a moment. Each is taken out of both histograms, to which it added
 * one first and one last sighting: in a window from that moment on the two made nothing, so its counts stay as they are.
 *
 * @returns how many there were
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
  let forgotten = 0;
  let page: ThingKey[] = [];
  do {
    page = await oldThings(client, customerId, before, page.at(-1) ?? { kind: '', entity_id: '' });
    if (page.length > 0) forgotten += await forget(client, customerId, before, page);
  } while (page.length === BATCH);
  // What they leave behind, and what every sighting that moves to the next day does.
  await client.query(
    'DELETE FROM fleet.entity_counts WHERE customer_id = $1 AND bucket < $2 AND n = 0 AND offset_ms = 0',
    [customerId, before],
  );
  return forgotten;
}

interface ThingKey {
  kind: string;
  entity_id: string;
}

/** Once along the key, while nobody waits. */
async function oldThings(
  client: pg.Client,
  customerId: number,
  before: string,
  after: ThingKey,
): Promise<ThingKey[]> {
  const { rows } = await client.query<ThingKey>(
    `SELECT t.kind, t.entity_id FROM fleet.entities t
     WHERE t.customer_id = $1 AND (t.kind, t.entity_id) > ($2, $3) AND t.last_seen < $4
     ORDER BY t.kind, t.entity_id LIMIT ${BATCH}`,
    [customerId, after.kind, after.entity_id, before],
  );
  return rows;
}

/** Those of a page that nobody has seen again meanwhile, in the place of an import. */
async function forget(
  client: pg.Client,
  customerId: number,
  before: string,
  page: readonly ThingKey[],
): Promise<number> {
  await client.query('BEGIN');
  try {
    await advanceDataVersions(client, customerId);
    const { rows } = await client.query<EntityRow>(
      `DELETE FROM fleet.entities t USING unnest($2::text[], $3::text[]) AS old (kind, entity_id)
       WHERE t.customer_id = $1 AND t.kind = old.kind AND t.entity_id = old.entity_id AND t.last_seen < $4
       RETURNING t.kind, t.entity_id, t.workspace_id, t.api_key_id, t.last_reported_at, t.owned_since, t.first_seen, t.last_seen, t.doc`,
      [customerId, page.map(({ kind }) => kind), page.map(({ entity_id }) => entity_id), before],
    );
    const counts = new EntityCounts();
    for (const row of rows) counts.remove(row.kind, countedEntity(fromRow(row)));
    await counts.write(asImporter(client), customerId);
    await client.query(rows.length > 0 ? 'COMMIT' : 'ROLLBACK');
    return rows.length;
  } catch (failure) {
    await client.query('ROLLBACK').catch(() => undefined); // the first failure is the one to tell
    throw failure;
  }
}
