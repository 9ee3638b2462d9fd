import { type Batch, halvesOf, type Outcomes, type Scrape } from '../write/batch.ts';
import { isDataError } from '../write/import-connection.ts';
import type { ImportDatabase } from '../write/import-database.ts';
import { Batcher } from './batcher.ts';
import type { ImportCounts } from './progress.ts';
import type { RejectFile } from './reject-file.ts';
import type { SourceItem } from './source.ts';

/** Maximum time that a record of a stream waits for others, unless a batch is being written. */
const MAX_WAIT_MS = 500;

/**
 * Writes the records of an import in batches, and counts the outcome of each line. While the database writes a batch,
 * the next one is read. A batch that fails ends the import when the next one is due. If its data is the cause, it is
 * split until only the records that the database rejects remain.
 */
export class ImportRun {
  readonly counts: ImportCounts = { written: 0, duplicate: 0, rejected: 0 };
  private readonly batcher = new Batcher();
  /** The last batch that was handed to the database. */
  private lastWrite: Promise<void> = Promise.resolve();
  private isWriting = false;
  /** Time when the oldest pending record was added, in ms since the epoch; null without one. Scrapes are not included. */
  private pendingSinceMs: number | null = null;
  /** Number of records that were read and have no outcome yet. */
  unwritten = 0;
  /** Number of kernel log lines without an XID, and of exporter lines of ignored series or of fallback fields that are not needed. */
  skipped = 0;
  /** Number of the exporter lines in `skipped`, by series. */
  readonly ignored: Record<string, number> = {};

  constructor(
    private readonly database: Pick<ImportDatabase, 'write'>,
    private readonly rejects: RejectFile,
    /** Whether records arrive over time. Those of files wait until a batch is full. */
    private readonly isStream = false,
  ) {}

  /** Adds items whose records are identified individually. */
  async add(items: SourceItem[]): Promise<void> {
    for (const item of items) {
      if ('fault' in item) {
        this.reject(item);
        continue;
      }
      this.pendingSinceMs ??= Date.now();
      this.unwritten += 1;
      const full = this.batcher.add(item);
      if (full) {
        await this.startWrite(full);
        // Records of other customers stay pending. Their wait starts again, because only the oldest time is known.
        this.pendingSinceMs = this.batcher.isEmpty ? null : Date.now();
      }
    }
    const isDue = this.pendingSinceMs !== null && Date.now() - this.pendingSinceMs >= MAX_WAIT_MS;
    if (this.isStream && isDue && !this.isWriting) await this.writePending();
  }

  /** Adds a whole scrape, identified by its digest. A repeated scrape counts as duplicate. */
  async addScrape(items: SourceItem[], customerId: number, scrape: Scrape): Promise<void> {
    for (const item of items) if ('fault' in item) this.reject(item);
    const entries = items.flatMap((item) =>
      'record' in item ? [{ record: item.record, origin: item.origin, scrape }] : [],
    );
    this.unwritten += entries.length;
    const full = this.batcher.addScrape(customerId, entries);
    if (full) await this.startWrite(full);
  }

  /** Counts lines that are neither stored nor rejected. */
  ignore(series: string, lines: number): void {
    this.skipped += lines;
    this.ignored[series] = (this.ignored[series] ?? 0) + lines;
  }

  /** Writes all pending records. */
  async flush(): Promise<void> {
    await this.writePending();
    await this.lastWrite;
  }

  /** Waits until no batch is being written, even if the last one failed. */
  async waitForWrite(): Promise<void> {
    await this.lastWrite.catch(() => undefined); // the next write or flush has thrown it
  }

  private async writePending(): Promise<void> {
    this.pendingSinceMs = null;
    for (const batch of this.batcher.drain()) await this.startWrite(batch);
  }

  /**
   * Starts to write a batch once the previous one is written.
   *
   * @throws the error of the previous one
   */
  private async startWrite(batch: Batch): Promise<void> {
    await this.lastWrite;
    this.isWriting = true;
    this.lastWrite = this.writeOrSplit(batch).finally(() => (this.isWriting = false));
    this.lastWrite.catch(() => undefined); // the next write or flush throws it
  }

  /** Writes a batch, or its halves one after the other if the database rejects its data. */
  private async writeOrSplit(batch: Batch): Promise<void> {
    let outcomes: Outcomes;
    try {
      outcomes = await this.database.write(batch);
    } catch (failure) {
      if (!isDataError(failure)) throw failure;
      const halves = halvesOf(batch);
      if (halves === null) this.rejectAll(batch, failure);
      else for (const half of halves) await this.writeOrSplit(half);
      return;
    }
    this.unwritten -= batch.entries.length;
    for (const { entry, outcome } of outcomes.all) {
      if (outcome.result === 'rejected') this.reject({ fault: outcome.reason, origin: entry.origin });
      else this.counts[outcome.result] += 1;
    }
  }

  private rejectAll({ entries }: Batch, { message }: Error): void {
    this.unwritten -= entries.length;
    for (const { origin } of entries)
      this.reject({ fault: `the database cannot store the record: ${message}`, origin });
  }

  private reject(item: Extract<SourceItem, { fault: string }>): void {
    this.rejects.add(item.origin, item.fault);
    this.counts.rejected += item.origin.lines.length;
  }
}
