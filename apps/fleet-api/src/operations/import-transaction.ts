import type pg from 'pg';

/** Runs statements in a transaction, which is committed if `work` returns true, and rolled back otherwise. */
export async function inTransaction(client: pg.Client, work: () => Promise<boolean>): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query((await work()) ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the first error is the one to report
    throw error;
  }
}
