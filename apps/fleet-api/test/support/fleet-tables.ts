import { withClient } from '@gpu-observatory/embedded-database';
import pg from 'pg';

/** Columns that differ between two imports of the same data: times of the import. */
const IMPORT_CLOCK = ['imported_at', 'alerts_at', 'telemetry_at', 'changed_at'];

/** Runs one statement on a new connection and returns its rows, with bigint as numbers. */
export function rowsOf<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => {
    client.setTypeParser(pg.types.builtins.INT8, Number);
    return (await client.query<Row>(text, values)).rows;
  });
}

/** Returns the time of the newest import of customer 1. */
export async function newestImport(url: string): Promise<string> {
  const [row] = await rowsOf<{ imported_at: Date }>(
    url,
    'SELECT imported_at FROM fleet.data_versions WHERE customer_id = 1',
  );
  return (row as { imported_at: Date }).imported_at.toISOString();
}

/** Returns the sorted rows of every table of the schema as JSON. */
export async function fleetTables(
  url: string,
  { importClock = true } = {},
): Promise<Record<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(
    url,
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of tables) {
    const without = importClock ? '{}' : `{${IMPORT_CLOCK.join(',')}}`;
    const rows = await rowsOf<{ row: string }>(
      url,
      `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM fleet.${name} t ORDER BY 1`,
      [without],
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
