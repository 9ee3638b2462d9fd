import type { Database } from '@gpu-observatory/service-runtime/process';
import type { CleanUpRule } from './clean-up-rules.ts';

const BATCH_ROWS = 1_000;

/**
 * Deletes expired rows in small batches, one transaction each, so that no other transaction waits for long.
 *
 * @returns the number of deleted rows per rule
 */
export async function cleanUp(
  database: Pick<Database, 'transaction'>,
  rules: readonly CleanUpRule[],
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const rule of rules) {
    let count = 0;
    let batch: number;
    do {
      batch = await deleteBatch(database, rule);
      count += batch;
    } while (batch === BATCH_ROWS);
    removed[rule.name] = count;
  }
  return removed;
}

/** Waits for the batch of a concurrent run: two deletions of the same rows could end in a deadlock. */
async function deleteBatch(
  database: Pick<Database, 'transaction'>,
  { text, retentionDays }: CleanUpRule,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await transaction.query({
      text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:clean-up', 0))",
    });
    const [deleted] = await transaction.query<{ count: number }>({
      text,
      values: [retentionDays, BATCH_ROWS],
    });
    return deleted?.count ?? 0;
  });
}
