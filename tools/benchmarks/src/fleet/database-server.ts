import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { freePort, query, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { runCommand } from '../service-process.ts';
import { type DataSet, fill, markComplete, readEnd } from './data-set/data-set.ts';
import { insertMetricsSql } from './data-set/metrics.sql.ts';
import { databaseOf, type Size } from './data-set/size.ts';
import { LOG_SETTINGS } from './load/statement-log.ts';

/** Database for the import cases. */
const IMPORT_DATABASE = 'fleet_imports';

export interface EmptyDatabase {
  /** Of an administrator. */
  url: string;
  apiUrl: string;
  importerUrl: string;
  drop(): Promise<unknown>;
}

/** A PostgreSQL server whose data sets are kept between runs. */
export interface DatabaseServer {
  /** Migrates the data set of this size. Creates it, also again when its creation was interrupted. */
  dataSet(size: Size): Promise<DataSet>;
  emptyDatabase(): Promise<EmptyDatabase>;
  /** Returns the URL of the same database for another role. */
  urlOf(role: 'fleet_api' | 'fleet_owner' | 'fleet_importer', databaseUrl: string): string;
  stop(): Promise<void>;
}

export async function startDatabaseServer(
  directory: string,
  log: (line: string) => void,
): Promise<DatabaseServer> {
  mkdirSync(directory, { recursive: true });
  const password = storedPassword(join(directory, 'password'));
  const memoryMb = Math.floor(totalmem() / 2 ** 20);
  const server = await startEmbeddedDatabase({
    dataDirectory: join(directory, 'database'),
    port: await freePort(),
    superuserPassword: password,
    disposable: true,
    settings: {
      shared_buffers: `${Math.max(128, Math.floor(memoryMb / 8))}MB`,
      effective_cache_size: `${Math.max(256, Math.floor(memoryMb / 2))}MB`,
      // For the indexes of a data set.
      maintenance_work_mem: `${Math.max(64, Math.floor(memoryMb / 16))}MB`,
      max_wal_size: '8GB',
      ...LOG_SETTINGS,
      shared_preload_libraries: 'pg_stat_statements',
      max_parallel_workers_per_gather: 0,
    },
  });
  const urlOf = (role: string, databaseUrl: string) =>
    Object.assign(new URL(databaseUrl), { username: role, password }).href;
  const operate = (url: string, args: string[]) =>
    runCommand('fleet-api', args, {
      ADMINISTRATOR_DATABASE_URL: url,
      OWNER_DATABASE_URL: urlOf('fleet_owner', url),
      DATABASE_URL: urlOf('fleet_api', url),
      IMPORTER_DATABASE_URL: urlOf('fleet_importer', url),
      LOG_LEVEL: 'warn',
    });
  const migratedDatabase = async (name: string) => {
    const url = await ensureDatabase(server.adminUrl, name);
    await operate(url, ['database', 'prepare']);
    await operate(url, ['migrate']);
    return url;
  };
  return {
    urlOf,
    dataSet: async (size) => {
      const name = databaseOf(size);
      const url = await migratedDatabase(name);
      const storedEndMs = await readEnd(url);
      if (storedEndMs !== null) return { url, size, endMs: storedEndMs };
      await dropDatabase(server.adminUrl, name);
      await migratedDatabase(name);
      const set = { url, size, endMs: Date.now() };
      const logStep = (line: string) => log(`${name}: ${line}`);
      await fill(set, logStep);
      await query(url, 'VACUUM (ANALYZE)');
      logStep('statistics');
      for (const sql of insertMetricsSql(size)) await query(url, sql, [new Date(set.endMs)]);
      await operate(url, ['metrics', 'rebuild']);
      await query(url, 'VACUUM (ANALYZE)');
      logStep('metrics');
      await markComplete(set);
      return set;
    },
    emptyDatabase: async () => {
      const drop = () => dropDatabase(server.adminUrl, IMPORT_DATABASE);
      await drop();
      const url = await migratedDatabase(IMPORT_DATABASE);
      return { url, apiUrl: urlOf('fleet_api', url), importerUrl: urlOf('fleet_importer', url), drop };
    },
    stop: () => server.stop(),
  };
}

const dropDatabase = (serverUrl: string, name: string) =>
  query(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** Reads the password, and creates a random one for the first start. */
function storedPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const found = await query(serverUrl, 'SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.length === 0) await query(serverUrl, `CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await query(url, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return url;
}
