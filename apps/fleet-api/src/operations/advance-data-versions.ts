import type pg from 'pg';

/**
 * Gives a customer, or every one, the next position, as an import does: entity tags change, importers read anew what they
 * remember, and imports wait until the transaction ends. The counts without types and the days' running sums
 * go with it.
 *
 * @param customerId null for everybody
 */
export async function nextPositions(client: pg.Client, customerId: number | null): Promise<void> {
  await client.query(
    'UPDATE fleet.import_positions p SET seq = p.seq + 1 WHERE $1::integer IS NULL OR p.customer_id = $1',
    [customerId],
  );
  for (const kept of ['total_positions', 'day_sum_positions']) {
    await client.query(
      `UPDATE fleet.${kept} t SET seq = p.seq FROM fleet.import_positions p
       WHERE p.customer_id = t.customer_id AND t.seq = p.seq - 1 AND ($1::integer IS NULL OR p.customer_id = $1)`,
      [customerId],
    );
  }
}
