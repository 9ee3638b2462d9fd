import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type Clock, readDatabaseTime } from '../../src/clock/clock.ts';

/** Real time plus an offset, the same for node and database. */
export class TestClock implements Clock {
  /** Difference of the node from the database. */
  skewSeconds = 0;
  private offsetMs = 0;
  private stoppedAtMs: number | undefined;

  now(): Date {
    return new Date((this.stoppedAtMs ?? Date.now()) + this.offsetMs + this.skewSeconds * 1000);
  }

  async databaseNow(database: Queryable): Promise<Date> {
    const nowMs = this.stoppedAtMs ?? (await readDatabaseTime(database)).getTime();
    return new Date(nowMs + this.offsetMs);
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
