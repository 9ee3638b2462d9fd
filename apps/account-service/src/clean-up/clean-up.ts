import type { Database } from '@gpu-observatory/service-runtime/process';
import type { CleanUpRule } from './clean-up-rules.ts';

const BATCH_ROWS = 1_000;

/**
 * Deletes expired rows in small batches, one transaction each, so that no other transaction waits for long. Concurrent
 * runs share the work: a run skips the batch that another one holds the lock for.
 *
 * @returns the number of deleted rows per rule
 */
export async function cleanUp(
  database: Pick<Database, 'transaction'>,
  rules: readonly CleanUpRule[],
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { name, retentionDays, text } of rules) {
    let count = 0;
    for (let batch = BATCH_ROWS; batch === BATCH_ROWS; count += batch) {
      batch = await removeBatch(database, text, retentionDays);
    }
    removed[name] = count;
  }
  return removed;
}

async function removeBatch(
  database: Pick<Database, 'transaction'>,
  text: string,
  retentionDays: number,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const [{ locked } = { locked: false }] = await transaction.query<{ locked: boolean }>({
      text: "SELECT pg_try_advisory_xact_lock(hashtextextended('gpu-observatory:clean-up', 0)) AS locked",
    });
    if (!locked) return 0;
    const [deleted] = await transaction.query<{ count: number }>({
      text,
      values: [retentionDays, BATCH_ROWS],
    });
    return deleted?.count ?? 0;
  });
}
