import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import type { Runtime } from '@gpu-observatory/service-runtime';
import type { ReadLimits } from '../../config/read-limits.config.ts';

/**
 * A burst, such as a dashboard that opens or two colleagues who search, passes in this time; what waits longer is a flood.
 */
const WAIT_MS = { quick: 1_000, slow: 5_000 };
const RETRY_AFTER_SECONDS = 1;

export type ReadPace = 'quick' | 'slow';

interface Waiting {
  customerIds: readonly number[];
  pace: ReadPace;
  begin(): void;
}

/**
 * Who may read now (decisions, section 2, Errors): each customer has so many reads at once, and fewer of those that
 * compare texts row by row and may take long, so that no tenant's scans starve another, nor its own quick reads. A read
 * over several customers counts as one of each. What is too much waits its turn, but not long.
 */
export class ReadTurns {
  private readonly running = new Map<number, Record<ReadPace, number>>();
  private readonly waiting = new Set<Waiting>();
  private allSlow = 0;

  constructor(
    private readonly limits: ReadLimits,
    private readonly onRefusal: (pace: ReadPace) => void = () => undefined,
  ) {}

  /** With its metrics. */
  static observed(limits: ReadLimits, { metrics }: Pick<Runtime, 'metrics'>): ReadTurns {
    const refused = metrics.counter(
      'reads_refused_total',
      'Reads refused since their customer ran its share already.',
      'pace',
    );
    const turns = new ReadTurns(limits, refused);
    metrics.gauge('reads_waiting', 'Reads that wait for their turn.', () => turns.waiting.size);
    metrics.gauge('slow_reads_running', 'Reads with filters on texts that run now.', () => turns.allSlow);
    return turns;
  }

  /**
   * Runs a read when it is its turn.
   *
   * @throws {DomainError} `too_many_requests` with `Retry-After` when that is too long to wait
   */
  async run<Result>(
    customerIds: readonly number[],
    pace: ReadPace,
    read: () => Promise<Result>,
  ): Promise<Result> {
    if (this.isTurnOf(customerIds, pace)) this.count(customerIds, pace, 1);
    else await this.wait(customerIds, pace);
    try {
      return await read();
    } finally {
      this.count(customerIds, pace, -1);
      this.beginWaiting();
    }
  }

  private isTurnOf(customerIds: readonly number[], pace: ReadPace): boolean {
    const { reads, slowReads, allSlowReads } = this.limits;
    if (pace === 'slow' && this.allSlow >= allSlowReads) return false;
    return customerIds.every((id) => {
      const { quick = 0, slow = 0 } = this.running.get(id) ?? {};
      return quick + slow < reads && (pace === 'quick' || slow < slowReads);
    });
  }

  private count(customerIds: readonly number[], pace: ReadPace, difference: 1 | -1): void {
    if (pace === 'slow') this.allSlow += difference;
    for (const id of customerIds) {
      const counts = this.running.get(id) ?? { quick: 0, slow: 0 };
      counts[pace] += difference;
      if (counts.quick + counts.slow > 0) this.running.set(id, counts);
      else this.running.delete(id);
    }
  }

  private wait(customerIds: readonly number[], pace: ReadPace): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        customerIds,
        pace,
        begin: () => {
          clearTimeout(timer);
          this.waiting.delete(waiting);
          this.count(customerIds, pace, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(waiting);
        this.onRefusal(pace);
        reject(tooMany(pace));
      }, WAIT_MS[pace]);
      this.waiting.add(waiting);
    });
  }

  /** First come, first served, but for those whose turn it is not yet. */
  private beginWaiting(): void {
    for (const waiting of this.waiting) {
      if (this.isTurnOf(waiting.customerIds, waiting.pace)) waiting.begin();
    }
  }
}

function tooMany(pace: ReadPace): DomainError {
  const what = pace === 'slow' ? 'requests with filters on texts' : 'requests';
  return new DomainError(
    fleetErrors.tooManyRequests,
    `Your organisation runs more ${what} at once than its share; retry in ${RETRY_AFTER_SECONDS} s, fewer at a time.`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}
