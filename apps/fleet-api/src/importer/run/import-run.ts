import { type Batch, halvesOf, type Outcomes } from '../write/batch.ts';
import { isDataError } from '../write/import-connection.ts';
import type { ImportDatabase } from '../write/import-database.ts';
import { Batcher } from './batcher.ts';
import type { ImportCounts } from './progress.ts';
import type { RejectFile } from './reject-file.ts';
import type { SourceItem } from './source.ts';

/** How long a record of a stream may wait for others before it is written, unless others are being written anyway. */
const LONGEST_WAIT_MS = 500;

/**
 * One call of the importer: takes what sources read, writes it in batches, keeps account of every line. While the database
 * writes a batch the next one is read; a batch that fails ends the import when the next one is due, unless its data is to
 * blame: that costs the records alone that the database refuses.
 */
export class ImportRun {
  readonly counts: ImportCounts = { written: 0, known: 0, rejected: 0 };
  private readonly batcher = new Batcher();
  private writing: Promise<void> = Promise.resolve();
  private isWriting = false;
  private waitingSince: number | null = null;
  /** Records that were read, and are neither written nor known nor rejected yet. */
  unwritten = 0;
  /** Lines about other things, in sources that have such. */
  passedOver = 0;

  constructor(
    private readonly database: Pick<ImportDatabase, 'write'>,
    private readonly rejects: RejectFile,
  ) {}

  /** Takes items of a source without an identity of its own for the whole (NDJSON): each record has one. */
  async take(items: SourceItem[]): Promise<void> {
    for (const item of items) {
      if ('fault' in item) {
        this.reject(item);
        continue;
      }
      this.waitingSince ??= Date.now();
      this.unwritten += 1;
      const full = this.batcher.add({ record: item.record, origin: item.origin });
      if (full) {
        await this.write(full);
        this.waitingSince = this.batcher.isEmpty ? null : Date.now();
      }
    }
    const isDue = this.waitingSince !== null && Date.now() - this.waitingSince >= LONGEST_WAIT_MS;
    if (isDue && !this.isWriting) await this.writeWaiting();
  }

  /** Takes a whole scrape, known by its digest: it is written once, however often it comes. */
  async takeScrape(
    items: SourceItem[],
    scrape: { customerId: number; workspaceId: number; digest: Buffer },
  ): Promise<void> {
    for (const item of items) if ('fault' in item) this.reject(item);
    const entries = items.flatMap((item) => ('record' in item ? [item] : []));
    if (entries.length === 0) return;
    this.unwritten += entries.length;
    await this.write({
      customerId: scrape.customerId,
      entries,
      scrape: { workspaceId: scrape.workspaceId, digest: scrape.digest },
    });
    await this.writing;
  }

  /** Writes everything that waits. */
  async flush(): Promise<void> {
    await this.writeWaiting();
    await this.writing;
  }

  /** Waits for what is being written, however it ends. */
  async settled(): Promise<void> {
    await this.writing.catch(() => undefined); // Whoever wrote next, or flushed, has been told.
  }

  private async writeWaiting(): Promise<void> {
    this.waitingSince = null;
    for (const batch of this.batcher.drain()) await this.write(batch);
  }

  /** Begins to write a batch once the one before is written. */
  private async write(batch: Batch): Promise<void> {
    await this.writing;
    this.isWriting = true;
    this.writing = this.writeNow(batch).finally(() => (this.isWriting = false));
    this.writing.catch(() => undefined); // It is told to who writes next, or flushes.
  }

  private async writeNow(batch: Batch): Promise<void> {
    let outcomes: Outcomes;
    try {
      outcomes = await this.database.write(batch);
    } catch (failure) {
      if (!isDataError(failure)) throw failure;
      const halves = halvesOf(batch);
      if (halves === null) this.refuse(batch, failure);
      else for (const half of halves) await this.writeNow(half);
      return;
    }
    this.unwritten -= batch.entries.length;
    for (const { entry, outcome } of outcomes.all) {
      if (outcome.result === 'rejected') this.reject({ fault: outcome.reason, origin: entry.origin });
      else this.counts[outcome.result] += 1;
    }
  }

  private refuse({ entries }: Batch, { message }: Error): void {
    this.unwritten -= entries.length;
    for (const { origin } of entries)
      this.reject({ fault: `the database cannot store it: ${message}`, origin });
  }

  private reject(item: Extract<SourceItem, { fault: string }>): void {
    this.rejects.add(item.origin, item.fault);
    this.counts.rejected += item.origin.lines.length;
  }
}
