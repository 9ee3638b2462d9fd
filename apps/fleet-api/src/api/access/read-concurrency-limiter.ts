import { SECOND_MS } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import type { Runtime, WriteBuffer } from '@gpu-observatory/service-runtime';
import type { ReadLimits } from '../../config/read-limits.config.ts';

/** Longest time in the queue: enough for the burst of an opening dashboard. */
const MAX_QUEUE_MS = { fast: SECOND_MS, slow: 5 * SECOND_MS, large: 5 * SECOND_MS };
/** Largest page of class `fast`, in rows. */
const SMALL_PAGE_ROWS = 1_000;
/** Expected size of a row in a response. */
const ROW_BYTES = 512;
const RETRY_AFTER_SECONDS = 1;

/** `slow` reads compare texts row by row; `large` reads are pages of more than 1,000 rows. */
export type CostClass = 'fast' | 'slow' | 'large';

/** Cost of a read for other customers. */
export interface ReadCost {
  /** Whether it compares texts row by row. */
  slow?: boolean;
  /** Maximum number of rows of the page. */
  rows?: number;
}

interface Read {
  customerIds: readonly number[];
  slow: boolean;
  /** 0 for a small page. */
  rows: number;
}

interface QueuedRead extends Read {
  start(): void;
}

const IDLE = { reads: 0, slow: 0, rows: 0 };

/**
 * Limits the concurrent reads of each customer, with a lower limit for slow ones, so that no tenant starves another or
 * its own fast reads, and the rows of its large pages. A large page also waits until the write buffer has room for it. A
 * read over several customers counts for each of them. Reads above the limit wait briefly in a queue. See
 * docs/decisions/read-concurrency.md.
 */
export class ReadConcurrencyLimiter {
  private readonly running = new Map<number, { reads: number; slow: number; rows: number }>();
  private readonly queue = new Set<QueuedRead>();
  private slowRunning = 0;

  constructor(
    private readonly limits: ReadLimits,
    private readonly writeBuffer: Pick<WriteBuffer, 'hasRoom' | 'onRelease'>,
    private readonly onReject: (costClass: CostClass) => void = () => undefined,
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
    const limiter = new ReadConcurrencyLimiter(limits, writeBuffer, rejected);
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
    { slow = false, rows = 0 }: ReadCost,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const cost = { customerIds, slow, rows: rows > SMALL_PAGE_ROWS ? rows : 0 };
    if (this.canStart(cost)) this.count(cost, 1);
    else await this.enqueue(cost);
    try {
      return await read();
    } finally {
      this.count(cost, -1);
      this.startQueued();
    }
  }

  private canStart({ customerIds, slow, rows }: Read): boolean {
    const { limits } = this;
    if (slow && this.slowRunning >= limits.allSlowReads) return false;
    if (rows > 0 && !this.writeBuffer.hasRoom(customerIds, rows * ROW_BYTES)) return false;
    return customerIds.every((id) => {
      const running = this.running.get(id) ?? IDLE;
      return (
        running.reads < limits.reads &&
        (!slow || running.slow < limits.slowReads) &&
        (rows === 0 || running.rows === 0 || running.rows + rows <= limits.rows)
      );
    });
  }

  private count({ customerIds, slow, rows }: Read, factor: 1 | -1): void {
    if (slow) this.slowRunning += factor;
    for (const id of customerIds) {
      const running = this.running.get(id) ?? IDLE;
      const reads = running.reads + factor;
      if (reads === 0) this.running.delete(id);
      else {
        const slowReads = running.slow + (slow ? factor : 0);
        this.running.set(id, { reads, slow: slowReads, rows: running.rows + factor * rows });
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
