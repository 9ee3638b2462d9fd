import cliProgress from 'cli-progress';

export interface ImportCounts {
  /** Records written now, already known, and lines rejected. */
  written: number;
  known: number;
  rejected: number;
}

const REPORT_EVERY_MS = 2_000;

/** Says how far an import is: a bar on a terminal, JSON lines elsewhere, both on standard error. */
export class Progress {
  private readonly startedAt = Date.now();
  private reportedAt = 0;
  private readonly bar: cliProgress.SingleBar | null;

  /** @param totalBytes null when the input has no known end */
  constructor(
    private readonly totalBytes: number | null,
    private readonly quiet: boolean,
  ) {
    const onTerminal = process.stderr.isTTY && totalBytes !== null && !quiet;
    this.bar = onTerminal
      ? new cliProgress.SingleBar({
          format: '{bar} {percentage}% | {rate} records/s | {eta_formatted} left | {rejected} rejected',
          stream: process.stderr,
          hideCursor: true,
        })
      : null;
    this.bar?.start(totalBytes ?? 0, 0, { rate: 0, rejected: 0 });
  }

  report(bytes: number, counts: ImportCounts): void {
    const now = Date.now();
    if (now - this.reportedAt < (this.bar ? 100 : REPORT_EVERY_MS)) return;
    this.reportedAt = now;
    const rate = this.rate(counts);
    if (this.bar) this.bar.update(bytes, { rate, rejected: counts.rejected });
    else if (!this.quiet) {
      const percent = this.totalBytes ? Math.round((bytes / this.totalBytes) * 1000) / 10 : null;
      process.stderr.write(`${JSON.stringify({ ...counts, records_per_second: rate, percent })}\n`);
    }
  }

  stop(): void {
    this.bar?.stop();
  }

  private rate(counts: ImportCounts): number {
    const seconds = Math.max(0.001, (Date.now() - this.startedAt) / 1000);
    return Math.round((counts.written + counts.known) / seconds);
  }
}
