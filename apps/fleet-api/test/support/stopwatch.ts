const TICK_MS = 10;
/** What a tick is late by on a machine that has time. */
const LATE_MS = 10;

/**
 * Measures how long callers are kept waiting by the code. Time in which this process had no turn at all, because others had
 * the CPU or memory was collected, is the machine's and does not count.
 */
export class Stopwatch {
  private countedMs = 0;
  private lookedAtMs = performance.now();
  private readonly timer = setInterval(() => this.count(), TICK_MS);

  /** Since it was made. */
  get milliseconds(): number {
    this.count();
    return this.countedMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private count(): void {
    const nowMs = performance.now();
    this.countedMs += Math.min(nowMs - this.lookedAtMs, TICK_MS + LATE_MS);
    this.lookedAtMs = nowMs;
  }
}
