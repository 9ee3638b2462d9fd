import { withClient } from '../../src/index.ts';

/** Runs one statement on a new connection and returns its rows. */
export function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);
}
