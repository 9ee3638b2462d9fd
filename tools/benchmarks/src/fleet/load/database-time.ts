import pg from 'pg';

const ATTEMPTS = 3;

/** What the server itself says that its statements took. */
export class DatabaseTime {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** @param url an administrator's: pg_stat_statements tells nobody else */
  static async open(url: string): Promise<DatabaseTime> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new DatabaseTime(client);
  }

  /**
   * Milliseconds of fleet-api's statements, on average of so many runs of something that asks it.
   *
   * @throws Error when the server recorded fewer statements than there were runs: that would be a fast figure of nothing
   */
  async of(ask: () => Promise<unknown>, runs: number): Promise<number> {
    await ask();
    for (let attempt = 1; ; attempt++) {
      await this.client.query('SELECT pg_stat_statements_reset()');
      for (let run = 0; run < runs; run++) await ask();
      const { statements, ms } = await this.recorded();
      if (statements >= runs && ms > 0) return ms / runs;
      if (attempt === ATTEMPTS) {
        throw new Error(`${runs} runs, but the server recorded ${statements} statements, of ${ms} ms`);
      }
    }
  }

  private async recorded(): Promise<{ statements: number; ms: number }> {
    const { rows } = await this.client.query<{ statements: number; ms: number }>(
      `SELECT coalesce(sum(s.calls), 0)::integer AS statements, coalesce(sum(s.total_exec_time), 0)::float8 AS ms
       FROM pg_stat_statements s
       WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND s.userid = 'fleet_api'::regrole`,
    );
    return rows[0] as { statements: number; ms: number };
  }

  /** Milliseconds of one statement, the faster of two runs. */
  async ofStatement(sql: string): Promise<number> {
    const times: number[] = [];
    for (let run = 0; run < 2; run++) {
      const begin = performance.now();
      await this.client.query(sql);
      times.push(performance.now() - begin);
    }
    return Math.min(...times);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
