import { DAY_MS } from '@gpu-observatory/domain-types';
import { query, withClient } from '@gpu-observatory/embedded-database';
import type pg from 'pg';
import {
  CHUNK,
  COUNTS_SQL,
  DATA_VERSIONS_SQL,
  insertAlertDetailsSql,
  insertAlertsSql,
  QUARTER_HOUR_COUNTS_SQL,
  WORD_KEYS_SQL,
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
const PARTITIONED = [
  'alerts',
  'alert_details',
  'alert_words',
  'alert_timeline_events',
  'gpu_days',
  'gpu_day_sums',
  'gpu_xid_events',
];

export interface DataSet {
  /** URL of an administrator, for the data set's own database. */
  url: string;
  size: Size;
  /** Timestamp of the newest data. Windows are relative to it, because a stored data set ages. */
  endMs: number;
}

/** Prefix of the schema comment that marks a complete data set. Change the version with the layout of the data. */
const COMPLETE_PREFIX = 'data set version 8, complete up to ';

export async function markComplete({ url, endMs }: DataSet): Promise<void> {
  await query(url, `COMMENT ON SCHEMA fleet IS '${COMPLETE_PREFIX}${new Date(endMs).toISOString()}'`);
}

/** Returns the timestamp of the newest data, or null for a data set that is not complete. */
export async function readEnd(url: string): Promise<number | null> {
  const [row] = await query<{ comment: string | null }>(
    url,
    "SELECT obj_description(to_regnamespace('fleet')) AS comment",
  );
  const comment = row?.comment ?? '';
  return comment.startsWith(COMPLETE_PREFIX) ? Date.parse(comment.slice(COMPLETE_PREFIX.length)) : null;
}

/**
 * Fills a migrated, empty database with rows and counts in SQL, because the importer would take an hour for ten million
 * alerts. Works on two connections at a time, to keep two cores busy.
 */
export async function fill({ url, size, endMs }: DataSet, log: (line: string) => void): Promise<void> {
  const end = new Date(endMs);
  const indexes = await withSession(url, async (session) => {
    for (const table of PARTITIONED) {
      for (let day = size.days; day > -SHORTEST_MONTH_DAYS; day -= SHORTEST_MONTH_DAYS) {
        const at = new Date(endMs - Math.max(day, 0) * DAY_MS);
        await session.query('SELECT fleet.ensure_partition($1, $2)', [table, at]);
      }
    }
    // Creating an index after the rows takes a third of the time of updating it with each row.
    return dropIndexes(session, 'alerts');
  });
  const insertAlerts = withSession(url, async (session) => {
    for (const sql of WORD_KEYS_SQL) await session.query(sql);
    await insertChunks(session, insertAlertsSql(size), size, end);
    log(`${size.alerts.toLocaleString('en')} alerts`);
  });
  const insertOthers = withSession(url, async (session) => {
    await insertChunks(session, insertAlertDetailsSql(size), size, end);
    await insertGpus(session, size, end);
    log(`${size.gpus.toLocaleString('en')} GPUs of ${size.days} days`);
  });
  await Promise.all([insertAlerts, insertOthers]);
  await withSession(url, async (session) => {
    for (const definition of indexes) await session.query(definition);
    log(`${indexes.length} indexes`);
  });
  const insertCounts = withSession(url, async (session) => {
    for (const sql of [...DATA_VERSIONS_SQL, ...COUNTS_SQL]) await session.query(sql);
    log('counts');
  });
  const insertWords = withSession(url, async (session) => {
    for (const sql of [QUARTER_HOUR_COUNTS_SQL, ...WORD_KEYS_SQL, WORDS_SQL]) await session.query(sql);
    log('words');
  });
  await Promise.all([insertCounts, insertWords]);
}

/** Runs `work` with a session for large statements. */
function withSession<Result>(url: string, work: (session: pg.Client) => Promise<Result>): Promise<Result> {
  return withClient(url, async (session) => {
    await session.query("SET timezone = 'UTC'");
    await session.query("SET work_mem = '256MB'");
    return work(session);
  });
}

async function insertChunks(session: pg.Client, sql: string, { alerts }: Size, end: Date): Promise<void> {
  for (let first = 1; first <= alerts; first += CHUNK) {
    await session.query(sql, [first, Math.min(alerts, first + CHUNK - 1), alerts, end]);
  }
}

async function insertGpus(session: pg.Client, size: Size, end: Date): Promise<void> {
  await session.query(INSERT_GPUS_SQL, [size.gpus, end]);
  await session.query(PATTERNS_SQL);
  await session.query(PATTERN_SUMS_SQL);
  for (let first = 0; first < size.gpus; first += GPU_CHUNK) {
    const next = Math.min(size.gpus, first + GPU_CHUNK);
    await session.query(insertGpuDaysSql(size), [first, next, end]);
    await session.query(insertGpuDaySumsSql(size), [first, next, end]);
  }
  await session.query(insertXidEventsSql(size), [size.gpus, end]);
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
