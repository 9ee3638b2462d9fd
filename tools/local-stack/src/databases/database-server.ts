import { startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import pg from 'pg';
import type { DataDirectory } from '../data-directory.ts';
import { reasonOf, StackError } from '../failures.ts';
import { stopWithUs } from './stop-with-us.ts';
import { DATABASE } from './roles.ts';

/** A PostgreSQL server with our database on it. */
export interface DatabaseServer {
  /** An administrator's URL on our database. */
  administratorUrl: string;
  /** For people: where it is. */
  place: string;
  /** Settles when a server of ours has ended by itself; never for somebody else's. */
  ended: Promise<void>;
  /** Stops a server of ours; leaves somebody else's alone. */
  stop(): Promise<void>;
}

const OLDEST_MAJOR_VERSION = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/** Starts the embedded server on the data directory. */
export async function startOwnServer(
  { database }: DataDirectory,
  port: number,
  superuserPassword: string,
): Promise<DatabaseServer> {
  const server = await startEmbeddedDatabase({ dataDirectory: database, port, superuserPassword });
  const letGo = stopWithUs(server.pid);
  const stop = async () => {
    await server.stop();
    letGo();
  };
  try {
    return {
      administratorUrl: await ensureDatabase(server.adminUrl),
      place: `127.0.0.1:${port}`,
      ended: server.exited,
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/**
 * Uses a server that is somebody else's.
 *
 * @param url an administrator's, on any database of the server
 * @throws {StackError} when it does not answer, is too old, or the role may not do what we need
 */
export async function useForeignServer(url: string): Promise<DatabaseServer> {
  const { host } = new URL(url);
  return {
    administratorUrl: await ensureDatabase(url),
    place: host,
    ended: new Promise(() => {}),
    stop: () => Promise.resolve(),
  };
}

async function ensureDatabase(serverUrl: string): Promise<string> {
  const client = await connect(serverUrl);
  try {
    await refuseUnfit(client, serverUrl);
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    // From the empty template, whatever the server's own locale and extensions are.
    if (found.rowCount === 0)
      await client.query(`CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${DATABASE}` }).href;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // A call that is under way fails with the same.
  try {
    await client.connect();
    return client;
  } catch (failure) {
    const { host, username } = new URL(url);
    // By SQLSTATE: 28 is a refused password or role, 3D a database that is not there.
    const reason = reasonOf(failure);
    const what = reason.startsWith('28')
      ? `refuses the role ${decodeURIComponent(username)} with that password`
      : reason.startsWith('3D')
        ? 'has no such database'
        : `does not answer (${reason})`;
    throw new StackError(
      `The PostgreSQL at ${host} ${what}: put --database-url (DATABASE_URL) right, or leave it out to use the embedded one.`,
    );
  }
}

async function refuseUnfit(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: number; fit: boolean }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version,
            rolsuper OR (rolcreaterole AND rolcreatedb) AS fit
       FROM pg_roles WHERE rolname = current_user`,
  );
  const { host, username } = new URL(url);
  const { version = 0, fit = false } = rows[0] ?? {};
  if (version < OLDEST_MAJOR_VERSION) {
    throw new StackError(
      `The PostgreSQL at ${host} is version ${version}: use ${OLDEST_MAJOR_VERSION} or later.`,
    );
  }
  if (!fit) {
    throw new StackError(
      `The role ${decodeURIComponent(username)} at ${host} may not make databases and roles: give an administrator's --database-url (DATABASE_URL).`,
    );
  }
}
