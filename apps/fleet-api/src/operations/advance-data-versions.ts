import type pg from 'pg';

/**
 * Increments the import sequence number of a customer, as an import does: entity tags change, importers reload their
 * caches, and imports wait until the transaction ends. The times of the versions stay: the data is not newer.
 *
 * @param customerId null for all customers
 */
export async function advanceDataVersions(client: pg.Client, customerId: number | null): Promise<void> {
  await client.query(
    `UPDATE fleet.data_versions v SET seq = v.seq + 1, alerts_seq = v.seq + 1, telemetry_seq = v.seq + 1
     WHERE $1::integer IS NULL OR v.customer_id = $1`,
    [customerId],
  );
}
