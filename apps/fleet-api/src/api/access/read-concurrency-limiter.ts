import { SECOND_MS } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { ReadLimits } from '../../config/read-limits.config.ts';

/** Longest time in the queue: enough for the burst of an opening dashboard. */
const MAX_QUEUE_MS = { fast: SECOND_MS, slow: 5 * SECOND_MS };
const RETRY_AFTER_SECONDS = 1;

/** `slow` reads compare texts row by row. */
export type CostClass = 'fast' | 'slow';

interface QueuedRead {
  customerIds: readonly number[];
  costClass: CostClass;
  start(): void;
}

/**
 * Limits the concurrent reads of each customer, with a lower limit for slow ones, so that no tenant starves another or
 * its own fast reads. A read over several customers counts for each of them. Reads above the limit wait briefly in a
 * queue. See docs/decisions/read-concurrency.md.
 */
export class ReadConcurrencyLimiter {
  private readonly running = new Map<number, Record<CostClass, number>>();
  private readonly queue = new Set<QueuedRead>();
  private slowRunning = 0;

  constructor(
    private readonly limits: ReadLimits,
    private readonly onReject: (costClass: CostClass) => void = () => undefined,
  ) {}

  static withMetrics(limits: ReadLimits, { metrics }: Pick<Runtime, 'metrics'>): ReadConcurrencyLimiter {
    const rejected = metrics.counter(
      'reads_rejected_total',
      'Reads rejected by the per-customer concurrency limit.',
      'cost_class',
    );
    const limiter = new ReadConcurrencyLimiter(limits, rejected);
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
    costClass: CostClass,
    read: () => Promise<Result>,
  ): Promise<Result> {
    if (this.canStart(customerIds, costClass)) this.count(customerIds, costClass, 1);
    else await this.enqueue(customerIds, costClass);
    try {
      return await read();
    } finally {
      this.count(customerIds, costClass, -1);
      this.startQueued();
    }
  }

  private canStart(customerIds: readonly number[], costClass: CostClass): boolean {
    const { reads, slowReads, allSlowReads } = this.limits;
    if (costClass === 'slow' && this.slowRunning >= allSlowReads) return false;
    return customerIds.every((id) => {
      const { fast = 0, slow = 0 } = this.running.get(id) ?? {};
      return fast + slow < reads && (costClass === 'fast' || slow < slowReads);
    });
  }

  private count(customerIds: readonly number[], costClass: CostClass, difference: 1 | -1): void {
    if (costClass === 'slow') this.slowRunning += difference;
    for (const id of customerIds) {
      const counts = this.running.get(id) ?? { fast: 0, slow: 0 };
      counts[costClass] += difference;
      if (counts.fast + counts.slow > 0) this.running.set(id, counts);
      else this.running.delete(id);
    }
  }

  private enqueue(customerIds: readonly number[], costClass: CostClass): Promise<void> {
    return new Promise((resolve, reject) => {
      const queued: QueuedRead = {
        customerIds,
        costClass,
        start: () => {
          clearTimeout(timer);
          this.queue.delete(queued);
          this.count(customerIds, costClass, 1);
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
      if (this.canStart(queued.customerIds, queued.costClass)) queued.start();
    }
  }
}

function tooManyRequests(costClass: CostClass): DomainError {
  const requests = costClass === 'slow' ? 'requests with text filters' : 'requests';
  return new DomainError(
    fleetErrors.tooManyRequests,
    `Too many concurrent ${requests} of your organization; retry after ${RETRY_AFTER_SECONDS} s with fewer at a time.`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}
