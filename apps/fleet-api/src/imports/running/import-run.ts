import type { Batch } from '../writing/batch.ts';
import type { ImportDatabase } from '../writing/import-database.ts';
import { Batcher } from './batcher.ts';
import type { ImportCounts } from './progress.ts';
import type { RejectFile } from './reject-file.ts';
import type { SourceItem } from './source.ts';

/** How long a record of a stream may wait for others before it is written. */
const LONGEST_WAIT_MS = 500;

/** One call of the importer: takes what sources read, writes it in batches, keeps account of every line. */
export class ImportRun {
  readonly counts: ImportCounts = { written: 0, known: 0, rejected: 0 };
  private readonly batcher = new Batcher();
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
    if (this.waitingSince !== null && Date.now() - this.waitingSince >= LONGEST_WAIT_MS) await this.flush();
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
  }

  async flush(): Promise<void> {
    this.waitingSince = null;
    for (const batch of this.batcher.drain()) await this.write(batch);
  }

  private async write(batch: Batch): Promise<void> {
    const outcomes = await this.database.write(batch);
    this.unwritten -= batch.entries.length;
    for (const { entry, outcome } of outcomes.all) {
      if (outcome.result === 'rejected') this.reject({ fault: outcome.reason, origin: entry.origin });
      else this.counts[outcome.result] += 1;
    }
  }

  private reject(item: Extract<SourceItem, { fault: string }>): void {
    this.rejects.add(item.origin, item.fault);
    this.counts.rejected += item.origin.lines.length;
  }
}
