import type { Clock } from '../../src/clock/clock.ts';

/** Real time, moved on by as much as a test wants. */
export class TestClock implements Clock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  moveOn(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
