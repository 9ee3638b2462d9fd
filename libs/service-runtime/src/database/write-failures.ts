import { DependencyUnavailable } from '../errors/domain-error.ts';

export const READ_ONLY = 'the database is read-only';

/** SQLSTATE codes of writes that the server rejects while reads succeed. */
const REASONS = new Map([
  ['25006', READ_ONLY],
  ['53100', 'the disk of the database is full'],
]);
/** Time after the last rejected write in which the database counts as not writable. */
const NOT_WRITABLE_MS = 60_000;

/** Records rejected writes, because PostgreSQL has no state that shows a full disk. */
export class WriteFailures {
  private last: { reason: string; atMs: number } | undefined;

  /** Records a failed statement if the server rejected its write. */
  record(error: unknown): void {
    if (!(error instanceof DependencyUnavailable)) return;
    const reason = REASONS.get((error.cause as { code?: string } | undefined)?.code ?? '');
    if (reason !== undefined) this.last = { reason, atMs: performance.now() };
  }

  /** Null while no write is known to fail. */
  get reason(): string | null {
    return this.last !== undefined && performance.now() - this.last.atMs < NOT_WRITABLE_MS
      ? this.last.reason
      : null;
  }
}
