import type { Attributed } from '../records/records.ts';
import type { Batch, BatchEntry } from '../write/batch.ts';

/**
 * Larger batches are cheaper, since the row and the day of a GPU, and each count of alerts, are written once per batch. The limits
 * bound memory: two batches exist at a time, one being written and one being read.
 */
const BATCH_RECORDS = 40_000;
const BATCH_ALERTS = 12_000;
const BATCH_CHARACTERS = 16 * 1024 * 1024;

/** Records of one customer, with the number of alerts among them and of characters in their lines. */
interface Pending {
  entries: BatchEntry[];
  alerts: number;
  characters: number;
}

/** Collects records into batches of one customer each. */
export class Batcher {
  /** Pending records by customer. */
  private readonly pending = new Map<number, Pending>();

  /**
   * Adds a record. A record without lines, such as the GPU of a sample, is written in the same batch as the next one.
   *
   * @returns the batch when it is full
   */
  add(entry: BatchEntry<Attributed>): Batch | null {
    const customerId = entry.record.customer_id;
    this.addTo(customerId, entry);
    return entry.origin.lines.length === 0 ? null : this.takeFull(customerId);
  }

  /** Adds the records of a scrape, which are written in one batch. @returns the batch when it is full */
  addScrape(customerId: number, entries: BatchEntry[]): Batch | null {
    for (const entry of entries) this.addTo(customerId, entry);
    return this.takeFull(customerId);
  }

  private addTo(customerId: number, entry: BatchEntry): void {
    const known = this.pending.get(customerId);
    const pending = known ?? { entries: [], alerts: 0, characters: 0 };
    if (known === undefined) this.pending.set(customerId, pending);
    pending.entries.push(entry);
    if (entry.record.kind === 'alert') pending.alerts += 1;
    for (const { text } of entry.origin.lines) pending.characters += text.length;
  }

  private takeFull(customerId: number): Batch | null {
    const { entries = [], alerts = 0, characters = 0 } = this.pending.get(customerId) ?? {};
    if (entries.length < BATCH_RECORDS && alerts < BATCH_ALERTS && characters < BATCH_CHARACTERS) return null;
    this.pending.delete(customerId);
    return { customerId, entries };
  }

  get isEmpty(): boolean {
    return this.pending.size === 0;
  }

  /** Removes and returns all pending records. */
  drain(): Batch[] {
    const batches = [...this.pending].map(([customerId, { entries }]) => ({ customerId, entries }));
    this.pending.clear();
    return batches;
  }
}
