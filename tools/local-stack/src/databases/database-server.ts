import { reasonOf, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import pg from 'pg';
import type { DataDirectory } from '../data-directory.ts';
import { StackError } from '../errors.ts';
import { stopServerOnExit } from './stop-server-on-exit.ts';
import { DATABASE } from './roles.ts';

/** A PostgreSQL server with the database of the stack. */
export interface DatabaseServer {
  /** URL of an administrator on the database of the stack. */
  administratorUrl: string;
  /** Host and port, for messages. */
  address: string;
  /** Resolves when the embedded server exits; never for an external server. */
  ended: Promise<void>;
  /** Stops the embedded server. Does nothing for an external server. */
  stop(): Promise<void>;
}

const OLDEST_MAJOR_VERSION = 15;
const CONNECT_TIMEOUT_MS = 5_000;

/** Starts the embedded server on the data directory. */
export async function startEmbeddedServer(
  { database }: DataDirectory,
  port: number,
  superuserPassword: string,
): Promise<DatabaseServer> {
  const server = await startEmbeddedDatabase({ dataDirectory: database, port, superuserPassword });
  const cancelStopOnExit = stopServerOnExit(server.pid);
  const stop = async () => {
    await server.stop();
    cancelStopOnExit();
  };
  try {
    return {
      administratorUrl: await ensureDatabase(server.adminUrl),
      address: `127.0.0.1:${port}`,
      ended: server.exited,
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/**
 * Uses an external server.
 *
 * @param url URL of an administrator, on any database of the server
 * @throws {StackError} when the server is unreachable or too old, or when the role lacks privileges
 */
export async function useExternalServer(url: string): Promise<DatabaseServer> {
  const { host } = new URL(url);
  return {
    administratorUrl: await ensureDatabase(url),
    address: host,
    ended: new Promise(() => {}),
    stop: () => Promise.resolve(),
  };
}

async function ensureDatabase(serverUrl: string): Promise<string> {
  const client = await connect(serverUrl);
  try {
    await checkServer(client, serverUrl);
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    // template0, because template1 may have other encodings and extensions.
    if (found.rowCount === 0)
      await client.query(`CREATE DATABASE ${DATABASE} TEMPLATE template0 ENCODING 'UTF8'`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(serverUrl), { pathname: `/${DATABASE}` }).href;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // The running call rejects with the same error.
  try {
    await client.connect();
    return client;
  } catch (failure) {
    const { host, username } = new URL(url);
    // SQLSTATE classes: 28 is an invalid role or password, 3D a missing database.
    const reason = reasonOf(failure);
    const problem = reason.startsWith('28')
      ? `rejected the role ${decodeURIComponent(username)} or its password`
      : reason.startsWith('3D')
        ? 'does not have this database'
        : `is unreachable (${reason})`;
    throw new StackError(
      `The PostgreSQL server at ${host} ${problem}: correct --database-url (DATABASE_URL), or omit it to use the embedded server.`,
    );
  }
}

async function checkServer(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ version: number; sufficient: boolean }>(
    `SELECT current_setting('server_version_num')::integer / 10000 AS version,
            rolsuper OR (rolcreaterole AND rolcreatedb) AS sufficient
       FROM pg_roles WHERE rolname = current_user`,
  );
  const { host, username } = new URL(url);
  const { version = 0, sufficient = false } = rows[0] ?? {};
  if (version < OLDEST_MAJOR_VERSION) {
    throw new StackError(
      `The PostgreSQL server at ${host} has version ${version}: use version ${OLDEST_MAJOR_VERSION} or later.`,
    );
  }
  if (!sufficient) {
    throw new StackError(
      `The role ${decodeURIComponent(username)} at ${host} may not create databases and roles: use an administrator in --database-url (DATABASE_URL).`,
    );
  }
}
