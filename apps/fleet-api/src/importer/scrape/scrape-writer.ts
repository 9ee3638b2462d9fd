import type { Attributed } from '../records/records.ts';
import type { BatchEntry, Outcomes } from '../write/batch.ts';
import type { ImportDatabase } from '../write/import-database.ts';

export interface Stored {
  written: number;
  known: number;
  /** Why records were rejected. */
  reasons: string[];
}

interface Waiting {
  records: Attributed[];
  resolve: (stored: Stored) => void;
  reject: (failure: unknown) => void;
}

/** So many records make a transaction long enough. */
const MOST_RECORDS = 20_000;

/**
 * Writes what scrapes read. Pages that wait for the database while it writes others go together in one transaction, so
 * that a thousand exporters cost no thousand commits.
 */
export class ScrapeWriter {
  private readonly waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly database: Pick<ImportDatabase, 'write'>,
    private readonly customerId: number,
  ) {}

  /** @throws what the database said of these records */
  write(records: Attributed[]): Promise<Stored> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ records, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const together: Waiting[] = [];
      let records = 0;
      for (
        let next = this.waiting[0];
        next && records + next.records.length <= MOST_RECORDS;
        next = this.waiting[0]
      ) {
        together.push(next);
        records += next.records.length;
        this.waiting.shift();
      }
      // A page that is larger than that goes alone.
      if (together.length === 0) together.push(this.waiting.shift() as Waiting);
      await this.writeTogether(together);
    }
    this.isWriting = false;
  }

  private async writeTogether(pages: Waiting[]): Promise<void> {
    const pageOf = new Map<BatchEntry, Waiting>();
    for (const page of pages)
      for (const record of page.records) pageOf.set({ record, origin: { file: '', lines: [] } }, page);
    let outcomes: Outcomes;
    try {
      outcomes = await this.database.write({ customerId: this.customerId, entries: [...pageOf.keys()] });
    } catch (failure) {
      // One page that cannot be written costs the others nothing.
      if (pages.length > 1) for (const page of pages) await this.writeTogether([page]);
      else pages[0]?.reject(failure);
      return;
    }
    const stored = new Map(pages.map((page) => [page, { written: 0, known: 0, reasons: [] as string[] }]));
    for (const { entry, outcome } of outcomes.all) {
      const ofPage = stored.get(pageOf.get(entry) as Waiting) as Stored;
      if (outcome.result === 'rejected') ofPage.reasons.push(outcome.reason);
      else ofPage[outcome.result] += 1;
    }
    for (const [page, ofPage] of stored) page.resolve(ofPage);
  }
}
