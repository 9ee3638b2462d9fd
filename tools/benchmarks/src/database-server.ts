import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { freePort, query, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { cpuTimeOf } from '@gpu-observatory/testing';
import type { FleetBuild } from './fleet-build.ts';
import type { Size } from './options.ts';
import { fleetRecords, linesOf } from './records.ts';

type Role = 'fleet_owner' | 'fleet_api' | 'fleet_importer';

/** A PostgreSQL server whose databases are kept between runs. */
export type DatabaseServer = Awaited<ReturnType<typeof startDatabaseServer>>;

export async function startDatabaseServer(directory: string) {
  mkdirSync(directory, { recursive: true });
  const password = storedPassword(join(directory, 'password'));
  const memoryMb = Math.floor(totalmem() / 2 ** 20);
  const { adminUrl, stop } = await startEmbeddedDatabase({
    dataDirectory: join(directory, 'database'),
    port: await freePort(),
    superuserPassword: password,
    disposable: true,
    settings: {
      shared_buffers: `${Math.max(128, Math.floor(memoryMb / 8))}MB`,
      effective_cache_size: `${Math.max(256, Math.floor(memoryMb / 2))}MB`,
      max_wal_size: '8GB',
    },
  });
  const server = {
    stop,
    /** Returns the URL of a database for a role. */
    urlOf: (database: string, role?: Role): string =>
      Object.assign(new URL(adminUrl), {
        pathname: `/${database}`,
        ...(role && { username: role, password }),
      }).href,
    /** Creates an empty database with the schema of a build, in place of an older one of this name. */
    async createDatabase(name: string, build: FleetBuild): Promise<void> {
      await server.dropDatabase(name);
      await query(adminUrl, `CREATE DATABASE ${name}`);
      const environment = {
        ADMINISTRATOR_DATABASE_URL: server.urlOf(name),
        OWNER_DATABASE_URL: server.urlOf(name, 'fleet_owner'),
        DATABASE_URL: server.urlOf(name, 'fleet_api'),
        IMPORTER_DATABASE_URL: server.urlOf(name, 'fleet_importer'),
        LOG_LEVEL: 'warn',
      };
      await build.run(['database', 'prepare'], environment);
      await build.run(['migrate'], environment);
    },
    async dropDatabase(name: string): Promise<void> {
      await query(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
    /**
     * Imports a data set with a build, unless an earlier run has completed it.
     *
     * @param prefix of the name of the database
     */
    async dataSet(
      size: Size,
      build: FleetBuild,
      prefix: string,
      log: (line: string) => void,
    ): Promise<DataSet> {
      const database = `${prefix}_${size.alerts}_${size.gpus}_${size.days}`;
      const [stored] = await query<{ comment: string | null }>(
        adminUrl,
        "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
        [database],
      );
      if (stored?.comment) return { database, size, endMs: Date.parse(stored.comment) };
      log(`importing ${size.alerts} alerts, and ${size.gpus} GPUs of ${size.days} days`);
      await server.createDatabase(database, build);
      const endMs = Date.now();
      const records = linesOf(fleetRecords(size, endMs));
      await build.importLines(records, ['ndjson'], server.urlOf(database, 'fleet_importer'));
      await query(server.urlOf(database), 'VACUUM (ANALYZE)');
      await query(adminUrl, `COMMENT ON DATABASE ${database} IS '${new Date(endMs).toISOString()}'`);
      return { database, size, endMs };
    },
    /** Returns the CPU time that each server process of a role has used, in ns by process id. */
    async cpuTimes(role: Role): Promise<Map<number, number>> {
      const rows = await query<{ pid: number }>(
        adminUrl,
        'SELECT pid FROM pg_stat_activity WHERE usename = $1',
        [role],
      );
      return new Map(rows.map(({ pid }) => [pid, cpuTimeOf(pid)]));
    },
  };
  return server;
}

export interface DataSet {
  database: string;
  size: Size;
  /** Time of the newest data. Windows are relative to it, because a stored data set ages. */
  endMs: number;
}

/** Reads the password, and creates a random one for the first start. */
function storedPassword(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
