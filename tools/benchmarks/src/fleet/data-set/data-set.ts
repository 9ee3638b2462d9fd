import { DAY_MS } from '@gpu-observatory/domain-types';
import { withClient } from '@gpu-observatory/embedded-database';
import type pg from 'pg';
import {
  CHUNK,
  COUNTS_SQL,
  DATA_VERSIONS_SQL,
  insertAlertsSql,
  WORD_FUNCTIONS_SQL,
  WORDS_SQL,
} from './alerts.sql.ts';
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

/** Steps of this length hit every monthly partition. */
const SHORTEST_MONTH_DAYS = 28;
/** Tables with monthly partitions. */
const PARTITIONED = [
  'alerts',
  'alert_details',
  'alert_words',
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
  // Filled by startDatabaseServer when empty.
  'entities',
  'entity_counts',
  'metric_days',
];

export interface DataSet {
  /** URL of an administrator. */
  url: string;
  size: Size;
  /** Timestamp of the newest data. Windows are relative to it, because a stored data set ages. */
  endMs: number;
}

/**
 * Fills a migrated database with rows, counts and rollups in SQL, because the importer would take an hour for ten million
 * alerts. Keeps a complete data set and recreates a partial one.
 *
 * @param url of an administrator, for the data set's own database
 */
export function ensureFilled(url: string, size: Size, log: (line: string) => void): Promise<DataSet> {
  return withClient(url, async (client) => {
    const storedEndMs = await readEnd(client);
    if (storedEndMs !== null) return { url, size, endMs: storedEndMs };
    const endMs = Date.now();
    await fill(client, size, endMs, log);
    await client.query(`COMMENT ON SCHEMA fleet IS '${COMPLETE_PREFIX}${new Date(endMs).toISOString()}'`);
    return { url, size, endMs };
  });
}

/** Prefix of the schema comment that marks a complete data set. Change the version with the layout of the data. */
const COMPLETE_PREFIX = 'data set version 8, complete up to ';

/** Reads the schema comment, which is written last. */
async function readEnd(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ comment: string | null }>(
    "SELECT obj_description('fleet'::regnamespace) AS comment",
  );
  const comment = rows[0]?.comment ?? '';
  return comment.startsWith(COMPLETE_PREFIX) ? Date.parse(comment.slice(COMPLETE_PREFIX.length)) : null;
}

async function fill(
  client: pg.Client,
  size: Size,
  endMs: number,
  log: (line: string) => void,
): Promise<void> {
  const end = new Date(endMs);
  await client.query("SET timezone = 'UTC'");
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query("SET work_mem = '256MB'");
  await client.query('SET max_parallel_workers_per_gather = 0');
  await client.query(`TRUNCATE ${FILLED.map((table) => `fleet.${table}`).join(', ')}`);
  for (const table of PARTITIONED) {
    for (let day = size.days; day > -SHORTEST_MONTH_DAYS; day -= SHORTEST_MONTH_DAYS) {
      const at = new Date(endMs - Math.max(day, 0) * DAY_MS);
      await client.query('SELECT fleet.ensure_partition($1, $2)', [table, at]);
    }
  }
  // Creating an index after the rows takes a third of the time of updating it with each row.
  const indexes = await dropIndexes(client, 'alerts');
  for (const sql of WORD_FUNCTIONS_SQL) await client.query(sql);
  for (let first = 1; first <= size.alerts; first += CHUNK) {
    const last = Math.min(size.alerts, first + CHUNK - 1);
    await client.query(insertAlertsSql(size), [first, last, size.alerts, end]);
    log(`${last.toLocaleString('en')} alerts`);
  }
  for (const definition of indexes) await client.query(definition);
  log(`${indexes.length} indexes`);
  for (const sql of [...DATA_VERSIONS_SQL, ...COUNTS_SQL]) await client.query(sql);
  log('counts');
  await client.query(WORDS_SQL);
  log('words');
  await client.query(INSERT_GPUS_SQL, [size.gpus, end]);
  await client.query(PATTERNS_SQL);
  await client.query(PATTERN_SUMS_SQL);
  for (let first = 0; first < size.gpus; first += GPU_CHUNK) {
    const next = Math.min(size.gpus, first + GPU_CHUNK);
    await client.query(insertGpuDaysSql(size), [first, next, end]);
    await client.query(insertGpuDaySumsSql(size), [first, next, end]);
  }
  await client.query(insertXidEventsSql(size), [size.gpus, end]);
  log(`${size.gpus.toLocaleString('en')} GPUs of ${size.days} days`);
  await client.query('VACUUM (ANALYZE)');
  log('statistics');
}

/** @returns the statements that recreate them */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid = $1::regclass AND NOT i.indisprimary`,
    [`fleet.${table}`],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  // pg_get_indexdef adds ONLY for a partitioned table, which would leave the partitions without the index.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}
