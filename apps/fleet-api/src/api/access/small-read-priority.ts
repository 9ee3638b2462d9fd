import { SECOND_MS } from '@gpu-observatory/domain-types';

/** Time after a small read in which large pages are read in pieces: most clients send one request after another. */
const RECENT_MS = SECOND_MS;
/** Few enough rows that a small read is delayed by about a millisecond. */
const PIECE_ROWS = 500;
/** Longest wait before one piece. Under load, small reads may overlap without a gap. */
const MAX_PIECE_WAIT_MS = 20;
/** Longest wait of a page, well below the time limit of its statements. */
const MAX_PAGE_WAIT_MS = SECOND_MS;

interface SmallReads {
  running: number;
  lastEndedAt: number;
}

/**
 * Counts small reads by customer: large pages wait for those of other customers. See
 * docs/decisions/read-concurrency.md#pieces-of-large-pages.
 */
export class SmallReadPriority {
  private readonly byCustomer = new Map<number, SmallReads>();
  private readonly waiting = new Set<() => void>();

  readStarted(customerIds: readonly number[]): void {
    for (const id of customerIds) {
      const reads = this.byCustomer.get(id);
      if (reads) reads.running += 1;
      else this.byCustomer.set(id, { running: 1, lastEndedAt: 0 });
    }
  }

  readEnded(customerIds: readonly number[]): void {
    const now = performance.now();
    for (const id of customerIds) {
      const reads = this.byCustomer.get(id);
      if (reads) Object.assign(reads, { running: reads.running - 1, lastEndedAt: now });
    }
    for (const [id, reads] of this.byCustomer) if (!isRecent(reads, now)) this.byCustomer.delete(id);
    for (const check of this.waiting) check();
  }

  /** Whether another customer's small read runs or has run within the last second. */
  isActive(customerIds: readonly number[]): boolean {
    const now = performance.now();
    return this.someOther(customerIds, (reads) => isRecent(reads, now));
  }

  /** Resolves when no small read of another customer runs, or after 20 ms. */
  async untilIdle(customerIds: readonly number[]): Promise<void> {
    const isIdle = () => !this.someOther(customerIds, ({ running }) => running > 0);
    if (isIdle()) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve();
      };
      const check = () => {
        if (isIdle()) resume();
      };
      const timer = setTimeout(resume, MAX_PIECE_WAIT_MS);
      this.waiting.add(check);
    });
  }

  private someOther(customerIds: readonly number[], matches: (reads: SmallReads) => boolean): boolean {
    for (const [id, reads] of this.byCustomer) if (!customerIds.includes(id) && matches(reads)) return true;
    return false;
  }
}

const isRecent = ({ running, lastEndedAt }: SmallReads, now: number) =>
  running > 0 || now - lastEndedAt < RECENT_MS;

/** Divides a large page into pieces while there are small reads of other customers. Between two pieces it pauses as long as the first one took. */
export class PagePieces {
  private pieceStartedAt: number | null = null;
  private waitedMs = 0;

  constructor(
    private readonly customerIds: readonly number[],
    private readonly priority: SmallReadPriority,
    private readonly onPiece: () => void,
  ) {}

  /** Waits for small reads, and returns how many of the remaining rows to read next. */
  async next(remainingRows: number): Promise<number> {
    if (!this.priority.isActive(this.customerIds) || this.waitedMs >= MAX_PAGE_WAIT_MS) return remainingRows;
    const startedAt = performance.now();
    if (this.pieceStartedAt !== null) {
      const pauseMs = Math.min(startedAt - this.pieceStartedAt, MAX_PIECE_WAIT_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await this.priority.untilIdle(this.customerIds);
    this.pieceStartedAt = performance.now();
    this.waitedMs += this.pieceStartedAt - startedAt;
    this.onPiece();
    return Math.min(remainingRows, PIECE_ROWS);
  }
}
