import { OperationError } from '@gpu-observatory/service-runtime';
import type pg from 'pg';
import type { Retention } from '../../config/retention.config.ts';
import type { OwnerConnections } from '../owner-connection.ts';
import { dropPartition } from './drop-partition.ts';
import { detachedPartitions, type OldPartition, oldPartitions } from './old-partitions.ts';
import { deleteOldEntities, retentionMonthStart } from './old-entities.ts';
import { AGING_ROWS } from './dependent-rows.ts';

export interface RetentionResult {
  kept: Retention;
  dropped: Omit<OldPartition, 'detaching'>[];
  /** Rows that grew old one by one, by table. */
  pruned: Record<string, number>;
}

/**
 * Drops what is older than it is kept: whole partitions, and row by row what has none. Counts stay exact with the rows
 * that remain, readers and imports go on. Nothing is lost when it is cut short: the next run goes on from there.
 *
 * @throws {OperationError} when another run is at it
 */
export async function applyRetention(
  owner: OwnerConnections,
  retention: Retention,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<RetentionResult> {
  const client = await owner.open();
  const old = await oldPartitions(client, retention);
  const dropped = old.map(({ detaching: _detaching, ...partition }) => partition);
  if (dryRun) return { kept: retention, dropped, pruned: await prune(client, retention, { dryRun }) };

  const { rows } = await client.query<{ mine: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('gpu-observatory:fleet-retention', 0)) AS mine",
  );
  if (!rows[0]?.mine)
    throw new OperationError('another run of retention is at it; this one has nothing to do');
  // From now on the importer is refused what is about to go.
  await client.query(
    `UPDATE fleet.retention r SET period = given.period
     FROM unnest($1::text[], $2::interval[]) AS given (kind, period) WHERE r.kind = given.kind AND r.period <> given.period`,
    [Object.keys(retention), Object.values(retention)],
  );
  const detaching = await owner.open();
  for (const partition of old) await dropPartition([client, detaching], partition);
  for (const name of await detachedPartitions(client)) await client.query(`DROP TABLE fleet.${name}`);
  return { kept: retention, dropped, pruned: await prune(client, retention) };
}

/** Customer by customer, each a transaction of its own. */
async function prune(
  client: pg.Client,
  retention: Retention,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Record<string, number>> {
  const { rows: customers } = await client.query<{ customer_id: number }>(
    'SELECT customer_id FROM fleet.data_versions ORDER BY customer_id',
  );
  const pruned: Record<string, number> = {};
  for (const { name, text, ...rule } of AGING_ROWS) {
    const kept = rule.kept ?? retention[rule.keptLike];
    const statement = dryRun ? text.replace('DELETE', 'SELECT customer_id') : text;
    let count = 0;
    for (const { customer_id } of customers) {
      count += (await client.query(statement, [customer_id, kept])).rowCount ?? 0;
    }
    pruned[name] = count;
  }
  const begin = await retentionMonthStart(client, retention.rollups);
  pruned['entities'] = 0;
  for (const { customer_id } of customers)
    pruned['entities'] += await deleteOldEntities(client, customer_id, begin, { dryRun });
  return pruned;
}
