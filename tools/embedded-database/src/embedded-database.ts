import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { isOrphaned, linkCluster, openDataDirectory, removeServerFiles } from './data-directory.ts';
import { stopStaleServer } from './stale-server.ts';
import { findInstallation } from './installation.ts';
import { checkPortIsFree, startServer, stopServer } from './server-process.ts';
import { DEFAULT_SETTINGS, DISPOSABLE_SETTINGS, settingArguments, type ServerSettings } from './settings.ts';

/** Address to listen on. */
const HOST = '127.0.0.1';

export interface EmbeddedDatabaseOptions {
  /** Folder of all files of the server, created if missing (see data-directory.ts for root). */
  dataDirectory: string;
  port: number;
  /** Password of the superuser `postgres`. Set at the first start; later starts need the same one. */
  superuserPassword: string;
  /** Overrides of the defaults in settings.ts. */
  settings?: ServerSettings;
  /** For tests: faster, but a power failure loses the data. */
  disposable?: boolean;
}

export type EmbeddedDatabase = Awaited<ReturnType<typeof startEmbeddedDatabase>>;

/**
 * Starts a PostgreSQL server and waits until it accepts queries. First stops the server of a killed program on the same
 * data directory.
 *
 * @throws EmbeddedDatabaseError when the port or the directory is in use, the directory is not writable or has data of
 *   another major version, or the server does not start
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions) {
  const { port, superuserPassword, settings = {}, disposable = false } = options;
  const directory = openDataDirectory(options.dataDirectory);
  await stopStaleServer(directory);
  if (isOrphaned(directory)) rmSync(directory.cluster, { recursive: true, force: true });
  await checkPortIsFree(HOST, port);

  const installation = await findInstallation(directory.installations, directory.serverUser);
  linkCluster(directory);
  await ensureCluster(directory, installation, superuserPassword, disposable);

  const adminUrl = `postgres://${SUPERUSER}:${encodeURIComponent(superuserPassword)}@${HOST}:${port}/postgres`;
  const args = settingArguments(DEFAULT_SETTINGS, disposable ? DISPOSABLE_SETTINGS : {}, settings, {
    listen_addresses: HOST,
    port,
    unix_socket_directories: '',
  });
  const server = await startServer(directory, installation, args, adminUrl);

  const pid = server.pid!;
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const exited = hasEnded() ? Promise.resolve() : once(server, 'exit').then(() => {});
  const stop = async () => {
    await stopServer(pid, hasEnded);
    await exited;
    rmSync(directory.startedByFile, { force: true });
  };
  let stopping: Promise<void> | undefined;
  return {
    /** `postgres://` URL of the superuser on the database `postgres`. */
    adminUrl,
    pid,
    /** Absolute path of the data directory, with links resolved. */
    dataDirectory: directory.path,
    /** Resolves when the server's process has exited. */
    exited,
    /** Stops the server and waits for it. The data stays. Idempotent. */
    stop: () => (stopping ??= stop()),
  };
}

/**
 * Deletes the database of a data directory. First stops the server of a killed program.
 *
 * @throws EmbeddedDatabaseError when the database is in use
 */
export async function removeEmbeddedDatabase(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) return;
  const directory = openDataDirectory(dataDirectory);
  await stopStaleServer(directory);
  removeServerFiles(directory);
}
