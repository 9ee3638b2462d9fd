/** Runs at most `limit` tasks at a time, in order of arrival. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limit: number) {}

  /** Whether no task runs. */
  get isIdle(): boolean {
    return this.running === 0;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (!this.tryAcquire()) await this.waitForSlot();
    try {
      return await task();
    } finally {
      this.release();
    }
  }

  /** Takes a slot, which the caller must release, if one is free. */
  tryAcquire(): boolean {
    if (this.running >= this.limit) return false;
    this.running += 1;
    return true;
  }

  /**
   * Waits for a slot, which the caller must release, after `tryAcquire` has found none.
   *
   * @param maxWaitMs maximum time to wait, in ms; default: no limit
   * @throws {QueueTimeout} when the wait was too long
   */
  waitForSlot(maxWaitMs?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        this.waiting.delete(start);
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        this.waiting.delete(start);
        reject(new QueueTimeout());
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      this.waiting.add(start);
    });
  }

  /** Releases a slot, or passes it to the first task that waits. */
  release(): void {
    const [start] = this.waiting;
    if (start === undefined) this.running -= 1;
    else start();
  }
}

/** A task waited too long for its slot. */
export class QueueTimeout extends Error {}
