import pg from 'pg';
import { COUNTS_SQL, CHUNK, insertAlertsSql, DATA_VERSIONS_SQL } from './alerts.sql.ts';
import {
  GPU_CHUNK,
  INSERT_GPUS_SQL,
  insertGpuDaysSql,
  insertGpuDaySumsSql,
  insertXidEventsSql,
  PATTERN_SUMS_SQL,
  PATTERNS_SQL,
} from './gpus.sql.ts';
import type { Size } from './size.ts';

const DAY_MS = 86_400_000;
/** In days. */
const SHORTEST_MONTH = 28;
/** By the month. */
const PARTITIONED = [
  'alerts',
  'alert_details',
  'alert_timeline_events',
  'gpu_days',
  'gpu_day_sums',
  'gpu_xid_events',
];
const FILLED = [
  ...PARTITIONED,
  'alert_counts',
  'data_versions',
  'api_key_workspaces',
  'gpus',
  // Filled by themselves, once they are found empty.
  'entities',
  'entity_counts',
  'metric_days',
];

/** When the data of a set end: they do not grow older with the clock, so windows are given from here. */
export interface DataSet {
  /** An administrator's. */
  url: string;
  size: Size;
  endMs: number;
}

/**
 * Fills a migrated database with rows and with the counts and rollups that belong to them, in SQL: an importer would take
 * an hour for ten million. A database that is filled already is left as it is; one half filled begins anew.
 *
 * @param url an administrator's, on the set's own database
 * @param tell is given a line for each step
 */
export async function ensureFilled(url: string, size: Size, tell: (line: string) => void): Promise<DataSet> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const known = await endOf(client);
    if (known !== null) return { url, size, endMs: known };
    const endMs = Date.now();
    await fill(client, size, endMs, tell);
    await client.query(`COMMENT ON SCHEMA fleet IS '${FILLED_UP_TO}${new Date(endMs).toISOString()}'`);
    return { url, size, endMs };
  } finally {
    await client.end();
  }
}

/** How the mark of a whole data set begins; another form of the data has another one. */
const FILLED_UP_TO = 'third form, filled up to ';

/** The mark is the schema's comment, made last. */
async function endOf(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    "SELECT obj_description('fleet'::regnamespace) AS mark",
  );
  const mark = rows[0]?.mark ?? '';
  return mark.startsWith(FILLED_UP_TO) ? Date.parse(mark.slice(FILLED_UP_TO.length)) : null;
}

async function fill(
  client: pg.Client,
  size: Size,
  endMs: number,
  tell: (line: string) => void,
): Promise<void> {
  const end = new Date(endMs);
  await client.query("SET timezone = 'UTC'");
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query("SET work_mem = '256MB'");
  await client.query('SET max_parallel_workers_per_gather = 0');
  await client.query('SET max_parallel_maintenance_workers = 0');
  await client.query(`TRUNCATE ${FILLED.map((table) => `fleet.${table}`).join(', ')}`);
  for (const table of PARTITIONED) {
    for (let day = size.days; day > -SHORTEST_MONTH; day -= SHORTEST_MONTH) {
      const at = new Date(endMs - Math.max(day, 0) * DAY_MS);
      await client.query('SELECT fleet.ensure_partition($1, $2)', [table, at]);
    }
  }
  // An index that is built over all rows at once takes a third of the time of one that grows with them.
  const indexes = await dropIndexes(client, 'alerts');
  for (let first = 1; first <= size.alerts; first += CHUNK) {
    const last = Math.min(size.alerts, first + CHUNK - 1);
    await client.query(insertAlertsSql(size), [first, last, size.alerts, end]);
    tell(`${last.toLocaleString('en')} alerts`);
  }
  for (const definition of indexes) await client.query(definition);
  tell(`${indexes.length} indexes`);
  for (const sql of [...DATA_VERSIONS_SQL, ...COUNTS_SQL]) await client.query(sql);
  tell('counts');
  await client.query(INSERT_GPUS_SQL, [size.gpus, end]);
  await client.query(PATTERNS_SQL);
  await client.query(PATTERN_SUMS_SQL);
  for (let first = 0; first < size.gpus; first += GPU_CHUNK) {
    const behind = Math.min(size.gpus, first + GPU_CHUNK);
    await client.query(insertGpuDaysSql(size), [first, behind, end]);
    await client.query(insertGpuDaySumsSql(size), [first, behind, end]);
  }
  await client.query(insertXidEventsSql(size), [size.gpus, end]);
  tell(`${size.gpus.toLocaleString('en')} GPUs of ${size.days} days`);
  await client.query('VACUUM (ANALYZE)');
  tell('statistics');
}

/** @returns the statements that make them again */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
    [`fleet.${table}`],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  // PostgreSQL describes the table's own without its partitions'.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}
