import cliProgress from 'cli-progress';

/** Number of records written, of records that duplicate stored ones, and of lines rejected. */
export interface ImportCounts {
  written: number;
  duplicate: number;
  rejected: number;
}

const REPORT_INTERVAL_MS = 2_000;
const BAR_INTERVAL_MS = 100;
const TALLY = '{records} records | {rate} records/s | {rejected} rejected';

/** Reports progress on standard error: a bar on a terminal, otherwise JSON lines. */
export class Progress {
  private readonly startedAtMs = Date.now();
  private reportedAtMs = 0;
  private readonly bar: cliProgress.SingleBar | null;

  /** @param totalBytes null when the size of the input is unknown */
  constructor(
    private readonly totalBytes: number | null,
    private readonly quiet: boolean,
  ) {
    this.bar =
      process.stderr.isTTY && !quiet
        ? new cliProgress.SingleBar({
            format: totalBytes === null ? TALLY : `{bar} {percentage}% | ${TALLY} | {eta_formatted} left`,
            stream: process.stderr,
            hideCursor: true,
          })
        : null;
  }

  report(bytes: number, counts: ImportCounts): void {
    const nowMs = Date.now();
    if (nowMs - this.reportedAtMs < (this.bar ? BAR_INTERVAL_MS : REPORT_INTERVAL_MS)) return;
    this.reportedAtMs = nowMs;
    if (this.bar) this.draw(this.bar, bytes, counts);
    else if (!this.quiet) {
      const percent = this.totalBytes ? Math.round((bytes / this.totalBytes) * 1000) / 10 : null;
      const rate = this.rate(counts);
      process.stderr.write(`${JSON.stringify({ ...counts, records_per_second: rate, percent })}\n`);
    }
  }

  /** Logs an event, even if the import is quiet. */
  log(event: object): void {
    process.stderr.write(`${this.bar ? '\n' : ''}${JSON.stringify(event)}\n`);
  }

  stop(bytes: number, counts: ImportCounts): void {
    if (!this.bar) return;
    this.draw(this.bar, bytes, counts);
    this.bar.stop();
  }

  private draw(bar: cliProgress.SingleBar, bytes: number, counts: ImportCounts): void {
    const tally = { records: processedRecords(counts), rate: this.rate(counts), rejected: counts.rejected };
    if (bar.isActive) bar.update(bytes, tally);
    else bar.start(this.totalBytes ?? 0, bytes, tally);
  }

  private rate(counts: ImportCounts): number {
    const seconds = Math.max(0.001, (Date.now() - this.startedAtMs) / 1000);
    return Math.round(processedRecords(counts) / seconds);
  }
}

function processedRecords({ written, duplicate }: ImportCounts): number {
  return written + duplicate;
}
