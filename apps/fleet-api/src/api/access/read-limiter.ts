import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SECOND_MS } from '@gpu-observatory/domain-types';
import { Runtime, type WriteBuffer } from '@gpu-observatory/service-runtime';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { FleetConfig } from '../../config/fleet.config.ts';
import type { ReadLimits } from '../../config/read-limits.config.ts';
import { ConcurrencyLimiter, QueueTimeout } from '../../model/concurrency-limiter.ts';

/** Properties of a read that decide its limits. */
export interface ReadCost {
  /** Whether the read compares texts row by row, or adds up the rows of many GPUs or of a long window. */
  isSlow?: boolean;
  /** Whether the read is a page of more than 1,000 rows. */
  isLarge?: boolean;
  /** Whether the read is a page of an export, which waits longer: a rejected page would break the response. */
  isExport?: boolean;
}

export type CostClass = keyof ReadLimits['customer'];

/** Maximum time in the queue. It is enough for the burst of requests when a dashboard opens. */
const MAX_WAIT_MS: Record<CostClass, number> = { fast: SECOND_MS, slow: 5 * SECOND_MS, large: 5 * SECOND_MS };
/** Maximum time in the queue for a page of an export. */
const MAX_EXPORT_WAIT_MS = 30 * SECOND_MS;
/** Interval at which a large page checks whether the write buffer has room for it. */
const CHECK_INTERVAL_MS = 10;
const RETRY_AFTER_SECONDS = 1;
/** Names of the requests of each class, for the message of a rejection. */
const REQUESTS: Record<CostClass, string> = {
  fast: 'requests',
  slow: 'requests with text filters or long windows',
  large: 'requests for large pages',
};

/**
 * Limits concurrent reads. Reads above a limit wait, first come, first served. See docs/decisions/read-concurrency.md.
 *
 * - Each customer has a limit for all of its reads (`fast`), and lower limits for slow reads and for large pages. A read over several
 *   customers counts for each of them.
 * - All customers together have limits for slow reads and for large pages.
 * - A large page also waits until its customers have read earlier responses.
 */
@Injectable()
export class ReadLimiter {
  readonly limits: ReadLimits;
  private readonly writeBuffer: WriteBuffer;
  private readonly countRejected: (costClass: CostClass) => void;
  /** Limiters of customers, by cost class and customer id. */
  private readonly customers = new Map<string, ConcurrencyLimiter>();
  /** Limiters of all customers together, by cost class. */
  private readonly all: Record<'slow' | 'large', ConcurrencyLimiter>;
  private waitingReads = 0;
  private runningSlowReads = 0;

  constructor(
    @Inject(FleetConfig) { readLimits }: Pick<FleetConfig, 'readLimits'>,
    @Inject(Runtime) { metrics, writeBuffer }: Pick<Runtime, 'metrics' | 'writeBuffer'>,
  ) {
    this.limits = readLimits;
    this.writeBuffer = writeBuffer;
    this.all = {
      slow: new ConcurrencyLimiter(readLimits.all.slow),
      large: new ConcurrencyLimiter(readLimits.all.large),
    };
    this.countRejected = metrics.counter(
      'reads_rejected_total',
      'Reads rejected by the per-customer concurrency limit.',
      'cost_class',
    );
    metrics.gauge('reads_queued', 'Reads that wait for the concurrency limit.', () => this.waitingReads);
    metrics.gauge(
      'slow_reads_running',
      'Running reads with text filters or long windows.',
      () => this.runningSlowReads,
    );
  }

  /**
   * Runs a read as soon as the limits allow it.
   *
   * @throws {DomainError} `too_many_requests` with `Retry-After` when the read waited too long
   */
  async run<Result>(
    customerIds: readonly number[],
    cost: ReadCost,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const slots = await this.acquire(customerIds, cost);
    if (cost.isSlow) this.runningSlowReads += 1;
    try {
      return await read();
    } finally {
      if (cost.isSlow) this.runningSlowReads -= 1;
      this.release(slots);
    }
  }

  /**
   * Waits for all slots of a read. A page of an export waits longer than other reads. If it has only some of its slots after the wait of
   * its cost class, it releases them and retries, so that a busy customer does not delay another one.
   */
  private async acquire(customerIds: readonly number[], cost: ReadCost): Promise<AcquiredSlots> {
    const costClass = costClassOf(cost);
    const deadline = performance.now() + (cost.isExport ? MAX_EXPORT_WAIT_MS : MAX_WAIT_MS[costClass]);
    this.waitingReads += 1;
    try {
      for (;;) {
        const slots = new AcquiredSlots(deadline, MAX_WAIT_MS[costClass]);
        try {
          await this.acquireInOrder(slots, customerIds, cost);
          return slots;
        } catch (error) {
          this.release(slots);
          if (!(error instanceof QueueTimeout)) throw error;
          if (performance.now() < deadline) continue;
          this.countRejected(costClass);
          throw tooManyReads(costClass);
        }
      }
    } finally {
      this.waitingReads -= 1;
    }
  }

  /**
   * Acquires all slots of a read, always in the same order, so that no two reads wait for each other. The slots of slow reads and large
   * pages come first: while such a read waits for them, it takes no slot from fast reads.
   *
   * @throws {QueueTimeout} at the deadline of `slots`
   */
  private async acquireInOrder(
    slots: AcquiredSlots,
    customerIds: readonly number[],
    { isSlow = false, isLarge = false }: ReadCost,
  ): Promise<void> {
    const ids = customerIds.toSorted((a, b) => a - b);
    if (isSlow) {
      for (const id of ids) await slots.acquire(this.limiterOf(id, 'slow'));
      await slots.acquire(this.all.slow);
    }
    if (isLarge) {
      for (const id of ids) await slots.acquire(this.limiterOf(id, 'large'));
      await this.waitForRoom(ids, slots.deadline);
      await slots.acquire(this.all.large);
    }
    // The limit for all reads of a customer.
    for (const id of ids) await slots.acquire(this.limiterOf(id, 'fast'));
  }

  private release(slots: AcquiredSlots): void {
    slots.release();
    for (const [key, limiter] of this.customers) if (limiter.isIdle) this.customers.delete(key);
  }

  /** Waits until earlier responses have been read, so that a page of the maximum length fits. */
  private async waitForRoom(customerIds: readonly number[], deadline: number): Promise<void> {
    while (!this.writeBuffer.hasRoom(customerIds, this.limits.pageBytes)) {
      if (performance.now() >= deadline) throw new QueueTimeout();
      await sleep(CHECK_INTERVAL_MS);
    }
  }

  /** Returns the limiter of a customer and class, which exists while it has slots in use or reads that wait. */
  private limiterOf(id: number, costClass: CostClass): ConcurrencyLimiter {
    const key = `${costClass} ${id}`;
    let limiter = this.customers.get(key);
    if (limiter === undefined) {
      limiter = new ConcurrencyLimiter(this.limits.customer[costClass]);
      this.customers.set(key, limiter);
    }
    return limiter;
  }
}

function costClassOf({ isSlow = false, isLarge = false }: ReadCost): CostClass {
  if (isSlow) return 'slow';
  return isLarge ? 'large' : 'fast';
}

/** The acquired slots of a read. */
class AcquiredSlots {
  private readonly limiters: ConcurrencyLimiter[] = [];

  /**
   * @param deadline end of the wait, as returned by `performance.now()`
   * @param maxHoldMs maximum time from the first slot to the last one; the first slot may bring the deadline forward
   */
  constructor(
    public deadline: number,
    private readonly maxHoldMs: number,
  ) {}

  /** @throws {QueueTimeout} at the deadline */
  async acquire(limiter: ConcurrencyLimiter): Promise<void> {
    if (!limiter.tryAcquire()) await limiter.waitForSlot(Math.max(0, this.deadline - performance.now()));
    if (this.limiters.length === 0)
      this.deadline = Math.min(this.deadline, performance.now() + this.maxHoldMs);
    this.limiters.push(limiter);
  }

  release(): void {
    for (const limiter of this.limiters) limiter.release();
  }
}

function tooManyReads(costClass: CostClass): DomainError {
  return new DomainError(
    fleetErrors.tooManyRequests,
    `Too many concurrent ${REQUESTS[costClass]} of your organization; retry after ${RETRY_AFTER_SECONDS} s with fewer at a time.`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}
