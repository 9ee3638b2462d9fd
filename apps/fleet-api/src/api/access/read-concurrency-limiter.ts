import { SECOND_MS } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import type { Runtime, WriteBuffer } from '@gpu-observatory/service-runtime';
import type { ReadLimits } from '../../config/read-limits.config.ts';
import { RowSizes } from './row-sizes.ts';
import { PagePieces, SmallReadPriority } from './small-read-priority.ts';

/** Longest time in the queue: enough for the burst of an opening dashboard. */
const MAX_QUEUE_MS = { fast: SECOND_MS, slow: 5 * SECOND_MS, large: 5 * SECOND_MS };
/** Largest page of class `fast`, in rows. */
const SMALL_PAGE_ROWS = 1_000;
/** Expected size of a row in a response, before the first large page of its customer. */
const INITIAL_ROW_BYTES = 2_048;
/** First rows of that page, which measure the size of the others. */
const FIRST_ROWS = 1_000;
/** Pages of the same customer differ in size. */
const SIZE_MARGIN = 1.1;
/** Share of the largest page at which no further rows are read. */
const FULL_PAGE = 3 / 4;
/** While no other customer sends small reads, one large page is read while another one is built and sent. */
const ROWS_FACTOR_WHEN_ALONE = 2;
/** A large page is in memory twice: as the texts from the database and as the body. */
const COPIES = 2;
const RETRY_AFTER_SECONDS = 1;

/** `slow` reads compare texts row by row; `large` reads are pages of more than 1,000 rows. */
export type CostClass = 'fast' | 'slow' | 'large';

/** Cost of a read for other customers. */
export interface ReadCost {
  /** Whether it compares texts row by row. */
  slow?: boolean;
  /** Maximum number of rows of the page. */
  rows?: number;
  /** Whether it reads a part of a long list, which has no priority over large pages. */
  isPiece?: boolean;
}

/** A read that runs. */
export interface RunningRead {
  /**
   * Waits for reads with priority, and returns how many of the remaining rows to read next: none when the page would use too
   * much memory.
   *
   * @param bytes of the rows that have been read
   */
  nextRows(remainingRows: number, bytes: number): Promise<number>;
  /** Reports the size of the page. */
  measured(rows: number, bytes: number): void;
}

interface Read {
  customerIds: readonly number[];
  slow: boolean;
  /** Whether large pages of other customers wait for it. */
  isSmall: boolean;
  /** 0 for a small page. */
  rows: number;
  /** Expected memory of a large page. */
  bytes: number;
}

interface QueuedRead extends Read {
  start(): void;
}

const IDLE = { reads: 0, slow: 0, rows: 0, bytes: 0 };

/**
 * Limits the concurrent reads of each customer, with a lower limit for slow ones, so that no tenant starves another or
 * its own fast reads, and the rows of its large pages. A large page also waits until the memory for large pages and the
 * write buffer have room for it. A read over several customers counts for each of them. Reads above the limit wait briefly
 * in a queue. See docs/decisions/read-concurrency.md.
 */
export class ReadConcurrencyLimiter {
  private readonly running = new Map<number, typeof IDLE>();
  private readonly queue = new Set<QueuedRead>();
  private readonly smallReads = new SmallReadPriority();
  private slowRunning = 0;
  private bytesRunning = 0;
  private readonly rowSizes = new RowSizes();

  constructor(
    private readonly limits: ReadLimits,
    private readonly writeBuffer: Pick<WriteBuffer, 'hasRoom' | 'onRelease'>,
    private readonly onReject: (costClass: CostClass) => void = () => undefined,
    private readonly onPiece: () => void = () => undefined,
  ) {
    writeBuffer.onRelease = () => this.startQueued();
  }

  static withMetrics(
    limits: ReadLimits,
    { metrics, writeBuffer }: Pick<Runtime, 'metrics' | 'writeBuffer'>,
  ): ReadConcurrencyLimiter {
    const rejected = metrics.counter(
      'reads_rejected_total',
      'Reads rejected by the per-customer concurrency limit.',
      'cost_class',
    );
    const pieces = metrics.counter(
      'large_page_pieces_total',
      'Pieces of large pages that gave priority to small reads of other customers.',
    );
    const limiter = new ReadConcurrencyLimiter(limits, writeBuffer, rejected, pieces);
    metrics.gauge('reads_queued', 'Reads that wait for the concurrency limit.', () => limiter.queue.size);
    metrics.gauge('slow_reads_running', 'Running reads with text filters.', () => limiter.slowRunning);
    return limiter;
  }

  /**
   * Runs a read as soon as the limits allow it.
   *
   * @throws {DomainError} `too_many_requests` with `Retry-After` when the read waited too long
   */
  async run<Result>(
    customerIds: readonly number[],
    { slow = false, rows = 0, isPiece = false }: ReadCost,
    read: (running: RunningRead) => Promise<Result>,
  ): Promise<Result> {
    const isLarge = rows > SMALL_PAGE_ROWS;
    const rowBytes = isLarge ? this.rowSizes.expected(customerIds) : undefined;
    const bytes = isLarge
      ? Math.min(this.maxPageBytes, Math.ceil(rows * (rowBytes ?? INITIAL_ROW_BYTES)))
      : 0;
    const isSmall = !slow && !isLarge && !isPiece;
    const cost = { customerIds, slow, isSmall, rows: isLarge ? rows : 0, bytes };
    if (this.canStart(cost)) this.count(cost, 1);
    else await this.enqueue(cost);
    try {
      return await read(isLarge ? this.largePage(customerIds, rows) : SMALL_READ);
    } finally {
      const ended = () => {
        this.count(cost, -1);
        this.startQueued();
      };
      // By then, the write buffer counts the response of a large page.
      if (isLarge) setImmediate(ended);
      else ended();
    }
  }

  /** Returns the pieces of a long list of these customers, which wait for small reads of others. */
  pieces(customerIds: readonly number[]): PagePieces {
    return new PagePieces(customerIds, this.smallReads, this.onPiece);
  }

  private largePage(customerIds: readonly number[], pageRows: number): RunningRead {
    const pieces = this.pieces(customerIds);
    const { maxPageBytes } = this;
    const expected = this.rowSizes.expected(customerIds);
    return {
      nextRows: async (remainingRows, bytes) => {
        if (bytes >= FULL_PAGE * maxPageBytes) return 0;
        const readRows = pageRows - remainingRows;
        const rowBytes = readRows > 0 ? bytes / readRows : expected;
        const fitting =
          rowBytes === undefined ? FIRST_ROWS : Math.max(1, Math.floor((maxPageBytes - bytes) / rowBytes));
        return pieces.next(Math.min(remainingRows, fitting));
      },
      measured: (rows, bytes) => {
        if (rows >= FIRST_ROWS) this.rowSizes.measured(customerIds, bytes / rows);
      },
    };
  }

  /** Size of the largest page, whose memory is all that large pages may use. */
  private get maxPageBytes(): number {
    return this.limits.bytes / COPIES;
  }

  private canStart({ customerIds, slow, rows, bytes }: Read): boolean {
    const { limits } = this;
    if (slow && this.slowRunning >= limits.allSlowReads) return false;
    if (rows > 0) {
      if (this.bytesRunning > 0 && this.bytesRunning + bytes * COPIES > limits.bytes) return false;
      const expectedBytes = Math.max(...customerIds.map((id) => this.running.get(id)?.bytes ?? 0));
      if (!this.writeBuffer.hasRoom(customerIds, bytes * SIZE_MARGIN, expectedBytes)) return false;
    }
    const maxRows =
      rows === 0 || this.smallReads.isActive(customerIds)
        ? limits.rows
        : limits.rows * ROWS_FACTOR_WHEN_ALONE;
    return customerIds.every((id) => {
      const running = this.running.get(id) ?? IDLE;
      return (
        running.reads < limits.reads &&
        (!slow || running.slow < limits.slowReads) &&
        (rows === 0 || running.rows === 0 || running.rows + rows <= maxRows)
      );
    });
  }

  private count({ customerIds, slow, isSmall, rows, bytes }: Read, factor: 1 | -1): void {
    if (slow) this.slowRunning += factor;
    this.bytesRunning += factor * bytes * COPIES;
    if (isSmall) {
      if (factor === 1) this.smallReads.readStarted(customerIds);
      else this.smallReads.readEnded(customerIds);
    }
    for (const id of customerIds) {
      const running = this.running.get(id) ?? IDLE;
      const reads = running.reads + factor;
      if (reads === 0) this.running.delete(id);
      else {
        const slowReads = running.slow + (slow ? factor : 0);
        this.running.set(id, {
          reads,
          slow: slowReads,
          rows: running.rows + factor * rows,
          bytes: running.bytes + factor * bytes,
        });
      }
    }
  }

  private enqueue(read: Read): Promise<void> {
    const costClass = read.slow ? 'slow' : read.rows > 0 ? 'large' : 'fast';
    return new Promise((resolve, reject) => {
      const queued: QueuedRead = {
        ...read,
        start: () => {
          clearTimeout(timer);
          this.queue.delete(queued);
          this.count(read, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.queue.delete(queued);
        this.onReject(costClass);
        reject(tooManyRequests(costClass));
      }, MAX_QUEUE_MS[costClass]);
      this.queue.add(queued);
    });
  }

  /** Starts reads in order of arrival and skips those that are still above a limit. */
  private startQueued(): void {
    for (const queued of this.queue) {
      if (this.canStart(queued)) queued.start();
    }
  }
}

const SMALL_READ: RunningRead = {
  nextRows: (remainingRows) => Promise.resolve(remainingRows),
  measured: () => undefined,
};

const REQUESTS = {
  fast: 'requests',
  slow: 'requests with text filters',
  large: 'requests for large pages',
};

function tooManyRequests(costClass: CostClass): DomainError {
  return new DomainError(
    fleetErrors.tooManyRequests,
    `Too many concurrent ${REQUESTS[costClass]} of your organization; retry after ${RETRY_AFTER_SECONDS} s with fewer at a time.`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}
