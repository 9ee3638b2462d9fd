import { cpuTimeOf } from '@gpu-observatory/embedded-database';
import pg from 'pg';

const MAX_ATTEMPTS = 3;
const OF_FLEET_API = `s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND s.userid = 'fleet_api'::regrole`;

/** Reads execution times from `pg_stat_statements`, and CPU times of server processes. */
export class DatabaseTime {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** @param url of an administrator, who may read `pg_stat_statements` of all roles */
  static async open(url: string): Promise<DatabaseTime> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new DatabaseTime(client);
  }

  /**
   * Measures the average time of fleet-api's statements per request, in ms.
   *
   * @throws {Error} when the server recorded fewer statements than requests
   */
  async ofRequests(request: () => Promise<unknown>, runs: number): Promise<number> {
    await request();
    for (let attempt = 1; ; attempt++) {
      await this.reset();
      for (let run = 0; run < runs; run++) await request();
      const { statements, ms } = await this.recorded();
      if (statements >= runs && ms > 0) return ms / runs;
      if (attempt === MAX_ATTEMPTS) {
        throw new Error(
          `pg_stat_statements recorded ${statements} statements and ${ms} ms for ${runs} requests`,
        );
      }
    }
  }

  async reset(): Promise<void> {
    await this.client.query('SELECT pg_stat_statements_reset()');
  }

  /** Returns how often fleet-api ran statements that contain this text, since `reset`. */
  async callsOf(text: string): Promise<number> {
    const { rows } = await this.client.query<{ calls: number }>(
      `SELECT coalesce(sum(s.calls), 0)::integer AS calls FROM pg_stat_statements s
       WHERE ${OF_FLEET_API} AND strpos(s.query, $1) > 0`,
      [text],
    );
    return rows[0]?.calls ?? 0;
  }

  private async recorded(): Promise<{ statements: number; ms: number }> {
    const { rows } = await this.client.query<{ statements: number; ms: number }>(
      `SELECT coalesce(sum(s.calls), 0)::integer AS statements, coalesce(sum(s.total_exec_time), 0)::float8 AS ms
       FROM pg_stat_statements s WHERE ${OF_FLEET_API}`,
    );
    return rows[0] as { statements: number; ms: number };
  }

  /** Measures the first run of a statement, in ms, including reads of rows from disk. */
  async ofStatement(sql: string): Promise<number> {
    const started = performance.now();
    await this.client.query(sql);
    return performance.now() - started;
  }

  /** Returns the CPU time of each server process of a role, in ns by process id. Linux only. */
  async cpuTimes(role: 'fleet_api' | 'fleet_importer'): Promise<Map<number, number>> {
    const { rows } = await this.client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE usename = $1',
      [role],
    );
    return new Map(rows.map(({ pid }) => [pid, cpuTimeOf(pid)] as const).filter(([, ns]) => ns > 0));
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
