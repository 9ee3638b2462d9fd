import type { Attributed } from '../records/records.ts';
import type { Batch, BatchEntry } from '../write/batch.ts';

/**
 * A GPU's row and its day are written once a batch, so larger batches are cheaper; small enough that memory stays flat,
 * however long records are: there are two at a time, one that is written and one that is read.
 */
const BATCH_RECORDS = 40_000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;

interface Waiting {
  entries: BatchEntry[];
  characters: number;
}

/** Gathers records into batches of one customer each. */
export class Batcher {
  private readonly waiting = new Map<number, Waiting>();

  /**
   * A record without lines of its own (a GPU that a sample is of) belongs to the next one, and is written with it.
   *
   * @returns a batch when the record filled one
   */
  add(entry: BatchEntry<Attributed>): Batch | null {
    const customerId = entry.record.customer_id;
    const ofCustomer = this.waiting.get(customerId) ?? { entries: [], characters: 0 };
    ofCustomer.entries.push(entry);
    for (const { text } of entry.origin.lines) ofCustomer.characters += text.length;
    this.waiting.set(customerId, ofCustomer);
    const isFull = ofCustomer.entries.length >= BATCH_RECORDS || ofCustomer.characters >= BATCH_CHARACTERS;
    if (!isFull || entry.origin.lines.length === 0) return null;
    this.waiting.delete(customerId);
    return { customerId, entries: ofCustomer.entries };
  }

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  /** Everything that waits. */
  drain(): Batch[] {
    const batches = [...this.waiting].map(([customerId, { entries }]) => ({ customerId, entries }));
    this.waiting.clear();
    return batches;
  }
}
