import type pg from 'pg';

/**
 * Runs statements in a transaction, which is committed if `work` returns true, and rolled back otherwise.
 *
 * Like an import, it first increments the import sequence number of the customer: entity tags change, importers reload their caches,
 * and imports wait until the transaction ends. They lock these rows first too, so there are no deadlocks. The times of the versions
 * stay: the data is not newer.
 *
 * @param customerId null for all customers
 */
export async function importTransaction(
  client: pg.Client,
  customerId: number | null,
  work: () => Promise<boolean>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(
      `UPDATE fleet.data_versions v SET seq = v.seq + 1, alerts_seq = v.seq + 1, telemetry_seq = v.seq + 1
       WHERE $1::integer IS NULL OR v.customer_id = $1`,
      [customerId],
    );
    await client.query((await work()) ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the first error is the one to report
    throw error;
  }
}
