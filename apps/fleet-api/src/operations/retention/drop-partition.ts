import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { advanceDataVersions } from '../advance-data-versions.ts';
import type { OldPartition } from './old-partitions.ts';
import { DEPENDENT_ROWS } from './dependent-rows.ts';

const CHECK_INTERVAL_MS = 5;

/**
 * Takes a partition out of its table and drops it, together with what was counted of its rows, while readers and imports
 * go on.
 *
 * Detaching concurrently locks no reader out, but cannot be part of a transaction. So one transaction takes the counts
 * away and gives every customer a new position (answers have changed, and so must their entity tags), a second connection
 * begins to detach, and the first commits as soon as new statements no longer see the partition. When detaching cannot
 * begin, nothing has happened. Statements that began before still read the partition; detaching waits for them.
 *
 * @throws {pg.DatabaseError} 55P03 when a lock could not be had in time; the next run goes on from there
 */
export async function dropPartition(
  [counts, detaching]: [pg.Client, pg.Client],
  partition: OldPartition,
): Promise<void> {
  const table = `fleet.${pg.escapeIdentifier(partition.table)}`;
  const name = `fleet.${pg.escapeIdentifier(partition.partition)}`;
  if (partition.detaching) {
    await detaching.query(`ALTER TABLE ${table} DETACH PARTITION ${name} FINALIZE`);
  } else {
    await counts.query('BEGIN');
    try {
      await deleteDependentRows(counts, partition);
      let failure: unknown;
      const detached = detaching
        .query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`)
        .catch((reason: unknown) => {
          failure = reason;
        });
      while (failure === undefined && (await isAttached(counts, partition))) await sleep(CHECK_INTERVAL_MS);
      // It may have failed after it had begun: then the partition is out of sight, and only waits to be finished.
      await counts.query((await isAttached(counts, partition)) ? 'ROLLBACK' : 'COMMIT');
      await detached;
      if (failure !== undefined) throw failure;
    } catch (reason) {
      await counts.query('ROLLBACK').catch(() => undefined); // the first failure is the one to tell
      throw reason;
    }
  }
  await detaching.query(`DROP TABLE ${name}`);
}

/** Everything that still speaks of the partition's rows. Positions first, as imports take them: so nobody deadlocks. */
async function deleteDependentRows(client: pg.Client, { table, until }: OldPartition): Promise<void> {
  await advanceDataVersions(client, null);
  await client.query(
    `UPDATE fleet.partitioned_tables SET dropped_before = greatest(dropped_before, $2) WHERE table_name = $1`,
    [table, until],
  );
  for (const statement of DEPENDENT_ROWS[table] ?? []) await client.query(statement, [until]);
}

async function isAttached(client: pg.Client, { partition }: OldPartition): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE c.relname = $1 AND c.relnamespace = 'fleet'::regnamespace AND NOT i.inhdetachpending`,
    [partition],
  );
  return rows.length > 0;
}
