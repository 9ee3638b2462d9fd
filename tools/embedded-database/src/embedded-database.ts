import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { isForsaken, linkCluster, openDataDirectory, removeServerFiles } from './data-directory.ts';
import { stopFormerServer } from './former-server.ts';
import { findInstallation } from './installation.ts';
import { refuseTakenPort, startServer, stopServer } from './server-process.ts';
import { DEFAULT_SETTINGS, DISPOSABLE_SETTINGS, settingArguments, type ServerSettings } from './settings.ts';

export interface EmbeddedDatabaseOptions {
  /** Made if missing; holds everything of the server (see data-directory.ts for root). */
  dataDirectory: string;
  port: number;
  /** Address to listen on; 127.0.0.1 unless given. */
  host?: string;
  /** Password of the superuser `postgres`: set when the database is made, and the same at each later start. */
  superuserPassword: string;
  /** Added to the defaults of settings.ts. */
  settings?: ServerSettings;
  /** For tests: faster, and lost in a power cut. */
  disposable?: boolean;
}

export interface EmbeddedDatabase {
  /** `postgres://` URL of the superuser on the database `postgres`. */
  adminUrl: string;
  pid: number;
  /** The data directory, as an absolute path without links. */
  dataDirectory: string;
  /** Settles when the server's process has ended, asked to or not. */
  exited: Promise<void>;
  /** Stops the server and waits for it; data stays. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL server on this machine and waits until it answers. A server that an earlier, killed run
 * left behind on the same data directory is stopped first.
 *
 * @throws EmbeddedDatabaseError when the port is taken, the directory is in use, not writable or of another major
 *   version, or the server does not start; its message says what to do
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { port, host = '127.0.0.1', superuserPassword, settings = {}, disposable = false } = options;
  const place = openDataDirectory(options.dataDirectory);
  await stopFormerServer(place);
  if (isForsaken(place)) rmSync(place.cluster, { recursive: true, force: true });
  await refuseTakenPort(host, port);

  const installation = await findInstallation(place.installations, place.serverUser);
  linkCluster(place);
  await ensureCluster(place, installation, superuserPassword, disposable);

  const adminUrl = `postgres://${SUPERUSER}:${encodeURIComponent(superuserPassword)}@${host}:${port}/postgres`;
  const args = settingArguments(DEFAULT_SETTINGS, disposable ? DISPOSABLE_SETTINGS : {}, settings, {
    listen_addresses: host,
    port,
    unix_socket_directories: '',
  });
  const server = await startServer(place, installation, args, adminUrl);

  const pid = server.pid!;
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const exited = hasEnded() ? Promise.resolve() : once(server, 'exit').then(() => {});
  const stop = async () => {
    await stopServer(pid, hasEnded);
    await exited;
    rmSync(place.startedByFile, { force: true });
  };
  let stopping: Promise<void> | undefined;
  return { adminUrl, pid, dataDirectory: place.path, exited, stop: () => (stopping ??= stop()) };
}

/**
 * Deletes the database of a data directory wherever it lies, after stopping a server that a killed run left behind.
 *
 * @throws EmbeddedDatabaseError when the database is in use
 */
export async function removeEmbeddedDatabase(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) return;
  const place = openDataDirectory(dataDirectory);
  await stopFormerServer(place);
  removeServerFiles(place);
}
