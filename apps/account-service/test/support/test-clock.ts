import type { Clock } from '../../src/clock/clock.ts';

/** Real time plus an offset. */
export class TestClock implements Clock {
  private offsetMs = 0;
  private stoppedAtMs: number | undefined;

  now(): Date {
    return new Date((this.stoppedAtMs ?? Date.now()) + this.offsetMs);
  }

  /** Freezes the clock, except for `advance`, so that the duration of the work does not matter. */
  async withFrozenTime(work: () => Promise<void>): Promise<void> {
    this.stoppedAtMs = Date.now();
    try {
      await work();
    } finally {
      this.stoppedAtMs = undefined;
    }
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
