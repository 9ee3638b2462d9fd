import type { Clock } from '../../src/clock/clock.ts';

/** Real time, moved on by as much as a test wants. */
export class TestClock implements Clock {
  private offsetMs = 0;
  private stoppedAtMs: number | undefined;

  now(): Date {
    return new Date((this.stoppedAtMs ?? Date.now()) + this.offsetMs);
  }

  /** Runs the work while the clock stands still but for `moveOn`: how long the machine takes for it does not count. */
  async standingStill(work: () => Promise<void>): Promise<void> {
    this.stoppedAtMs = Date.now();
    try {
      await work();
    } finally {
      this.stoppedAtMs = undefined;
    }
  }

  moveOn(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
