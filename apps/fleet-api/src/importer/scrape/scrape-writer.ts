import type { Attributed } from '../records/records.ts';
import type { BatchEntry, Outcomes } from '../write/batch.ts';
import type { ImportDatabase } from '../write/import-database.ts';

interface PageOutcome {
  written: number;
  duplicate: number;
  /** Reasons of the rejected records. */
  rejectReasons: string[];
}

interface PendingPage {
  records: Attributed[];
  resolve: (outcome: PageOutcome) => void;
  reject: (failure: unknown) => void;
}

/** Maximum number of records per transaction, unless one page has more. */
const MAX_RECORDS = 20_000;

/**
 * Writes the pages of exporters of one customer. Pages that arrive while others are written share a transaction, so
 * that a thousand exporters do not cost a thousand commits.
 */
export class ScrapeWriter {
  private readonly pending: PendingPage[] = [];
  private isWriting = false;

  constructor(
    private readonly database: Pick<ImportDatabase, 'write'>,
    private readonly customerId: number,
  ) {}

  /** Writes the records of a page. @throws the database error of these records */
  write(records: Attributed[]): Promise<PageOutcome> {
    return new Promise((resolve, reject) => {
      this.pending.push({ records, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.pending.length > 0) await this.writeBatch(this.takeBatch());
    this.isWriting = false;
  }

  /** Removes the first pending page, and the next ones while the sum of their records is at most `MAX_RECORDS`. */
  private takeBatch(): PendingPage[] {
    let recordCount = 0;
    let pageCount = 0;
    for (const { records } of this.pending) {
      recordCount += records.length;
      if (pageCount > 0 && recordCount > MAX_RECORDS) break;
      pageCount += 1;
    }
    return this.pending.splice(0, pageCount);
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
    const outcomeOf = new Map<PendingPage, PageOutcome>(
      pages.map((page) => [page, { written: 0, duplicate: 0, rejectReasons: [] }]),
    );
    for (const { entry, outcome } of outcomes.all) {
      const pageOutcome = outcomeOf.get(pageOf.get(entry) as PendingPage) as PageOutcome;
      if (outcome.result === 'rejected') pageOutcome.rejectReasons.push(outcome.reason);
      else pageOutcome[outcome.result] += 1;
    }
    for (const [page, pageOutcome] of outcomeOf) page.resolve(pageOutcome);
  }
}
