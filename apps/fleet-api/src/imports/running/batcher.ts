import type { Attributed } from '../records/records.ts';
import type { BatchEntry, Batch } from '../writing/batch.ts';

/** Large enough that a transaction's fixed costs vanish, small enough that memory stays flat. */
const BATCH_RECORDS = 10_000;

/** Gathers records into batches of one customer each. */
export class Batcher {
  private readonly waiting = new Map<number, BatchEntry[]>();

  /** @returns a batch when the record filled one */
  add(entry: BatchEntry<Attributed>): Batch | null {
    const customerId = entry.record.customer_id;
    const entries = this.waiting.get(customerId) ?? [];
    entries.push(entry);
    this.waiting.set(customerId, entries);
    if (entries.length < BATCH_RECORDS) return null;
    this.waiting.delete(customerId);
    return { customerId, entries };
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Everything that waits. */
  drain(): Batch[] {
    const batches = [...this.waiting].map(([customerId, entries]) => ({ customerId, entries }));
    this.waiting.clear();
    return batches;
  }
}
