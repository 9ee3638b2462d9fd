import { withClient } from '@gpu-observatory/embedded-database';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { Clock } from '../../src/clock/clock.ts';

/**
 * Clock of the node, and of the database for the service: real time plus an offset. A schema before `pg_catalog` in the search
 * path of the service has a function `clock_timestamp`, because there is no supported way to change PostgreSQL's clock.
 */
export class TestClock implements Clock {
  /** Difference of the node from the database. */
  skewSeconds = 0;
  private offsetSeconds = 0;
  private stoppedAt: Date | null = null;

  constructor(private readonly database: () => Queryable) {}

  now(): Date {
    const nowMs = this.stoppedAt?.getTime() ?? Date.now();
    return new Date(nowMs + (this.offsetSeconds + this.skewSeconds) * 1000);
  }

  /** Freezes the clock, except for `advance`, so that the duration of the work does not matter. */
  async withFrozenTime(work: () => Promise<void>): Promise<void> {
    this.stoppedAt = new Date();
    await this.setDatabaseClock();
    try {
      await work();
    } finally {
      this.stoppedAt = null;
      await this.setDatabaseClock();
    }
  }

  async advance(seconds: number): Promise<void> {
    this.offsetSeconds += seconds;
    await this.setDatabaseClock();
  }

  private async setDatabaseClock(): Promise<void> {
    await this.database().query({
      text: 'UPDATE test_clock.clock SET stopped_at = $1, offset_seconds = $2',
      values: [this.stoppedAt, this.offsetSeconds],
    });
  }
}

/** Adds the clock to a database. */
export async function createTestClock(administratorUrl: string): Promise<void> {
  await withClient(administratorUrl, (client) =>
    client.query(`
      CREATE SCHEMA test_clock;
      CREATE TABLE test_clock.clock AS SELECT NULL::timestamptz AS stopped_at, 0 AS offset_seconds;
      CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
        RETURN (SELECT coalesce(stopped_at, pg_catalog.clock_timestamp()) + make_interval(secs => offset_seconds)
                  FROM test_clock.clock);
      GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
      GRANT SELECT, UPDATE ON test_clock.clock TO PUBLIC`),
  );
}

/** Returns a URL whose sessions use the clock. */
export function withTestClock(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=test_clock,pg_catalog');
  return url.href;
}
