import type { Attributed } from '../records/records.ts';
import type { BatchEntry, Outcomes } from '../write/batch.ts';
import type { ImportDatabase } from '../write/import-database.ts';

export interface Stored {
  written: number;
  duplicate: number;
  /** Why records were rejected. */
  reasons: string[];
}

interface PendingPage {
  records: Attributed[];
  resolve: (stored: Stored) => void;
  reject: (failure: unknown) => void;
}

/** Records per transaction. */
const MAX_RECORDS = 20_000;

/**
 * Writes pages. Pages that arrive while others are written share a transaction, so that a thousand exporters do not
 * cost a thousand commits.
 */
export class ScrapeWriter {
  private readonly pending: PendingPage[] = [];
  private isWriting = false;

  constructor(
    private readonly database: Pick<ImportDatabase, 'write'>,
    private readonly customerId: number,
  ) {}

  /** @throws the database error of these records */
  write(records: Attributed[]): Promise<Stored> {
    return new Promise((resolve, reject) => {
      this.pending.push({ records, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.pending.length > 0) {
      const batch: PendingPage[] = [];
      let records = 0;
      for (
        let next = this.pending[0];
        next && records + next.records.length <= MAX_RECORDS;
        next = this.pending[0]
      ) {
        batch.push(next);
        records += next.records.length;
        this.pending.shift();
      }
      // A larger page gets a separate transaction.
      if (batch.length === 0) batch.push(this.pending.shift() as PendingPage);
      await this.writeBatch(batch);
    }
    this.isWriting = false;
  }

  private async writeBatch(pages: PendingPage[]): Promise<void> {
    const pageOf = new Map<BatchEntry, PendingPage>();
    for (const page of pages)
      for (const record of page.records) pageOf.set({ record, origin: { file: '', lines: [] } }, page);
    let outcomes: Outcomes;
    try {
      outcomes = await this.database.write({ customerId: this.customerId, entries: [...pageOf.keys()] });
    } catch (failure) {
      // One page may have failed: write each on its own.
      if (pages.length > 1) for (const page of pages) await this.writeBatch([page]);
      else pages[0]?.reject(failure);
      return;
    }
    const stored = new Map(
      pages.map((page) => [page, { written: 0, duplicate: 0, reasons: [] as string[] }]),
    );
    for (const { entry, outcome } of outcomes.all) {
      const ofPage = stored.get(pageOf.get(entry) as PendingPage) as Stored;
      if (outcome.result === 'rejected') ofPage.reasons.push(outcome.reason);
      else ofPage[outcome.result] += 1;
    }
    for (const [page, ofPage] of stored) page.resolve(ofPage);
  }
}
