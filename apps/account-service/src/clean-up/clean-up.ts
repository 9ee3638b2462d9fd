import type { Database } from '@gpu-observatory/service-runtime';
import { after } from '../clock/clock.ts';
import type { Leftovers } from './leftovers.ts';

const BATCH_ROWS = 1_000;

/**
 * Removes leftovers in small batches, each a transaction of its own, so that nobody waits for it: no lock on a table, and
 * on rows only that nobody needs. Two at once share the work: who comes second to a batch leaves it to the first.
 *
 * @returns how many rows of each kind went
 */
export async function cleanUp(
  database: Database,
  kinds: readonly Leftovers[],
  now: Date,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const { name, keepDays, text } of kinds) {
    const before = after(now, -keepDays * 24 * 3600);
    let count = 0;
    for (let batch = BATCH_ROWS; batch === BATCH_ROWS; count += batch) {
      batch = await removeBatch(database, text, before);
    }
    removed[name] = count;
  }
  return removed;
}

async function removeBatch(database: Database, text: string, before: Date): Promise<number> {
  return database.transaction(async (transaction) => {
    const [{ mine } = { mine: false }] = await transaction.query<{ mine: boolean }>({
      text: "SELECT pg_try_advisory_xact_lock(hashtextextended('gpu-observatory:clean-up', 0)) AS mine",
    });
    if (!mine) return 0;
    const [gone] = await transaction.query<{ count: number }>({ text, values: [before, BATCH_ROWS] });
    return gone?.count ?? 0;
  });
}
