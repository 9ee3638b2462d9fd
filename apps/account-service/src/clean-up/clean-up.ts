import type { Database } from '@gpu-observatory/service-runtime/process';
import type { CleanUpRule } from './clean-up-rules.ts';

const BATCH_ROWS = 1_000;

/**
 * Deletes expired rows in small batches, one transaction each, so that no other transaction waits for long. Only one
 * batch runs at a time: a run that finds the lock held ends its current rule and continues with the next.
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
    let batch: number;
    do {
      batch = await removeBatch(database, text, retentionDays);
      count += batch;
    } while (batch === BATCH_ROWS);
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
