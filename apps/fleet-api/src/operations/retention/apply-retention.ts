import { OperationError, type OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import type pg from 'pg';
import type { Retention } from '../../config/retention.config.ts';
import { distributedTables } from '../distribute/distribution-plan.ts';
import { dropDistributedPartition, dropPartition } from './drop-partition.ts';
import { detachedPartitions, type OldPartition, oldPartitions } from './old-partitions.ts';
import { deleteOldEntities, retentionMonthStart } from './old-entities.ts';
import { AGING_ROWS } from './dependent-rows.ts';

interface RetentionResult {
  kept: Retention;
  dropped: Omit<OldPartition, 'detaching'>[];
  /** Numbers of deleted rows, by table. */
  pruned: Record<string, number>;
}

/**
 * Deletes data older than the retention: whole partitions, and rows of unpartitioned tables. Counts stay consistent
 * with the remaining rows; reads and imports continue. The next run continues an interrupted one.
 *
 * @throws {OperationError} when another run is in progress
 */
export async function applyRetention(
  owner: OwnerDatabase,
  retention: Retention,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<RetentionResult> {
  const client = await owner.open();
  const old = await oldPartitions(client, retention);
  const dropped = old.map(({ detaching: _detaching, ...partition }) => partition);
  if (dryRun) return { kept: retention, dropped, pruned: await prune(client, retention, { dryRun }) };

  // The lock is released when the connection closes.
  const { rows } = await client.query<{ is_locked: boolean }>(
    "SELECT pg_try_advisory_lock(hashtextextended('gpu-observatory:fleet-retention', 0)) AS is_locked",
  );
  if (!rows[0]?.is_locked)
    throw new OperationError(
      'another "retention apply" is running on this database: wait until it has finished, then run the command again',
    );
  // From now on, importers cannot write to the partitions that are dropped next.
  await client.query(
    `UPDATE fleet.retention r SET period = setting.period
     FROM unnest($1::text[], $2::interval[]) AS setting (kind, period) WHERE r.kind = setting.kind AND r.period <> setting.period`,
    [Object.keys(retention), Object.values(retention)],
  );
  if ((await distributedTables(client)).size > 0) {
    for (const partition of old) await dropDistributedPartition(client, partition);
  } else {
    const detaching = await owner.open();
    for (const partition of old) await dropPartition([client, detaching], partition);
  }
  for (const name of await detachedPartitions(client)) await client.query(`DROP TABLE fleet.${name}`);
  return { kept: retention, dropped, pruned: await prune(client, retention) };
}

/** Deletes old rows of unpartitioned tables, one customer after the other. @returns their numbers by table */
async function prune(
  client: pg.Client,
  retention: Retention,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Record<string, number>> {
  const { rows: customers } = await client.query<{ customer_id: number }>(
    'SELECT customer_id FROM fleet.data_versions ORDER BY customer_id',
  );
  const pruned: Record<string, number> = {};
  for (const { table, at, kept } of AGING_ROWS) {
    const statement = `${dryRun ? 'SELECT customer_id' : 'DELETE'} FROM fleet.${table} WHERE customer_id = $1 AND ${at} < now() - $2::interval`;
    let count = 0;
    for (const { customer_id } of customers)
      count += (await client.query(statement, [customer_id, kept(retention)])).rowCount ?? 0;
    pruned[table] = count;
  }
  const rollupsStart = await retentionMonthStart(client, retention.rollups);
  let entities = 0;
  for (const { customer_id } of customers)
    entities += await deleteOldEntities(client, customer_id, rollupsStart, { dryRun });
  return { ...pruned, entities };
}
