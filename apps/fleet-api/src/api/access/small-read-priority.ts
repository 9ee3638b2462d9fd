import { SECOND_MS } from '@gpu-observatory/domain-types';

/** Time after a small read in which large pages are read in pieces: most clients send one request after another. */
const RECENT_MS = SECOND_MS;
/** Few enough rows that a small read is delayed by about a millisecond. */
const PIECE_ROWS = 500;
/** Longest wait before one piece. Under load, small reads may overlap without a gap. */
const MAX_PIECE_WAIT_MS = 20;
/** Longest wait of a page, well below the time limit of its statements. */
const MAX_PAGE_WAIT_MS = SECOND_MS;

/** Counts small reads, for which large pages wait. See docs/decisions/read-concurrency.md#pieces-of-large-pages. */
export class SmallReadPriority {
  private running = 0;
  private lastEndedAt = -Infinity;
  private readonly waiting = new Set<() => void>();

  readStarted(): void {
    this.running += 1;
  }

  readEnded(): void {
    this.running -= 1;
    this.lastEndedAt = performance.now();
    if (this.running > 0) return;
    for (const resume of this.waiting) resume();
  }

  /** Whether a small read runs or has run within the last second. */
  get isActive(): boolean {
    return this.running > 0 || performance.now() - this.lastEndedAt < RECENT_MS;
  }

  /** Resolves when no small read runs, or after 20 ms. */
  async untilIdle(): Promise<void> {
    if (this.running === 0) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.waiting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, MAX_PIECE_WAIT_MS);
      this.waiting.add(resume);
    });
  }
}

/** Divides a large page into pieces while there are small reads. Between two pieces it pauses as long as the first one took. */
export class PagePieces {
  private pieceStartedAt: number | null = null;
  private waitedMs = 0;

  constructor(
    private readonly priority: SmallReadPriority,
    private readonly onPiece: () => void,
  ) {}

  /** Waits for small reads, and returns how many of the remaining rows to read next. */
  async next(remainingRows: number): Promise<number> {
    if (!this.priority.isActive || this.waitedMs >= MAX_PAGE_WAIT_MS) return remainingRows;
    const startedAt = performance.now();
    if (this.pieceStartedAt !== null) {
      const pauseMs = Math.min(startedAt - this.pieceStartedAt, MAX_PIECE_WAIT_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await this.priority.untilIdle();
    this.pieceStartedAt = performance.now();
    this.waitedMs += this.pieceStartedAt - startedAt;
    this.onPiece();
    return Math.min(remainingRows, PIECE_ROWS);
  }
}
