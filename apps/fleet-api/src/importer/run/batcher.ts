import type { Attributed } from '../records/records.ts';
import type { Batch, BatchEntry } from '../write/batch.ts';

/**
 * Larger batches are cheaper, since the row and the day of a GPU are written once per batch. The limits bound memory: two
 * batches exist at a time, one being written and one being read.
 */
const BATCH_RECORDS = 40_000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

interface Pending {
  entries: BatchEntry[];
  characters: number;
}

/** Collects records into batches of one customer each. */
export class Batcher {
  private readonly pending = new Map<number, Pending>();

  /**
   * Adds a record. A record without lines, such as the GPU of a sample, is written in the same batch as the next one.
   *
   * @returns the batch when it is full
   */
  add(entry: BatchEntry<Attributed>): Batch | null {
    const customerId = entry.record.customer_id;
    const ofCustomer = this.pending.get(customerId) ?? { entries: [], characters: 0 };
    ofCustomer.entries.push(entry);
    for (const { text } of entry.origin.lines) ofCustomer.characters += text.length;
    this.pending.set(customerId, ofCustomer);
    const isFull = ofCustomer.entries.length >= BATCH_RECORDS || ofCustomer.characters >= BATCH_CHARACTERS;
    if (!isFull || entry.origin.lines.length === 0) return null;
    this.pending.delete(customerId);
    return { customerId, entries: ofCustomer.entries };
  }

  get isEmpty(): boolean {
    return this.pending.size === 0;
  }

  /** Returns all pending records. */
  drain(): Batch[] {
    const batches = [...this.pending].map(([customerId, { entries }]) => ({ customerId, entries }));
    this.pending.clear();
    return batches;
  }
}
