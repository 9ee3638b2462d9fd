import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { importTransaction } from '../import-transaction.ts';
import type { OldPartition } from './old-partitions.ts';
import { DEPENDENT_ROWS } from './dependent-rows.ts';

const CHECK_INTERVAL_MS = 5;
/** Maximum time that a detach waits for its lock. Readers queue behind it, so it is a fraction of their timeout. */
const DETACH_LOCK_TIMEOUT_MS = 500;
const DETACH_ATTEMPTS = 20;
const RETRY_PAUSE_MS = 1_000;
/** SQLSTATE `lock_not_available`. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Detaches a partition and drops it, together with the counts of its rows, without blocking reads and imports.
 *
 * DETACH CONCURRENTLY does not block readers, but cannot run in a transaction. So one transaction deletes the counts and increments the
 * data version of every customer, a second connection starts to detach, and the first commits as soon as new statements no longer see
 * the partition. If detaching cannot start, nothing has changed. Statements that started before still read the partition; detaching
 * waits for them.
 *
 * @param clients one connection for the counts, and one to detach
 * @throws {pg.DatabaseError} 55P03 when a lock is not available in time; the next run continues
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
    let failure: unknown;
    let detached: Promise<unknown> | undefined;
    await importTransaction(counts, null, async () => {
      await deleteDependentRows(counts, partition);
      detached = detaching
        .query(`ALTER TABLE ${table} DETACH PARTITION ${name} CONCURRENTLY`)
        .catch((reason: unknown) => {
          failure = reason;
        });
      while (failure === undefined && (await isAttached(counts, partition))) await sleep(CHECK_INTERVAL_MS);
      // If detaching failed after it had started, the partition is not attached any more, and the next run finalizes it.
      return !(await isAttached(counts, partition));
    });
    await detached;
    if (failure !== undefined) throw failure;
  }
  await detaching.query(`DROP TABLE ${name}`);
}

/**
 * Drops a partition of a table that Citus distributes, for which DETACH CONCURRENTLY is not supported: one transaction deletes the
 * counts, detaches and drops. Readers of the table wait from the detach to the commit. The detach waits for running readers in short
 * attempts, so that later readers do not wait long behind it.
 *
 * @throws {pg.DatabaseError} 55P03 when a lock is not available in time; nothing has changed
 */
export async function dropDistributedPartition(client: pg.Client, partition: OldPartition): Promise<void> {
  const table = `fleet.${pg.escapeIdentifier(partition.table)}`;
  const name = `fleet.${pg.escapeIdentifier(partition.partition)}`;
  await importTransaction(client, null, async () => {
    await deleteDependentRows(client, partition);
    await client.query(`SET LOCAL lock_timeout = ${DETACH_LOCK_TIMEOUT_MS}`);
    await retryLock(client, `ALTER TABLE ${table} DETACH PARTITION ${name}`);
    await client.query(`DROP TABLE ${name}`);
    return true;
  });
}

/** Executes a statement in the current transaction; repeats it while it cannot get its lock. */
async function retryLock(client: pg.Client, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('SAVEPOINT attempt');
    try {
      await client.query(statement);
      return;
    } catch (reason) {
      const isLocked = reason instanceof pg.DatabaseError && reason.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || attempt === DETACH_ATTEMPTS) throw reason;
      await client.query('ROLLBACK TO SAVEPOINT attempt');
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

/** Deletes the counts of the partition's rows. */
async function deleteDependentRows(client: pg.Client, { table, until }: OldPartition): Promise<void> {
  await client.query(
    `UPDATE fleet.partitioned_tables SET dropped_before = greatest(dropped_before, $2) WHERE table_name = $1`,
    [table, until],
  );
  for (const statement of DEPENDENT_ROWS[table] ?? []) await client.query(statement, [until]);
}

/** Returns whether new statements still see the partition. */
async function isAttached(client: pg.Client, { partition }: OldPartition): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE c.relname = $1 AND c.relnamespace = 'fleet'::regnamespace AND NOT i.inhdetachpending`,
    [partition],
  );
  return rows.length > 0;
}
