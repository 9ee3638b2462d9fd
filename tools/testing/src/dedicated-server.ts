import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  freePort,
  removeEmbeddedDatabase,
  type ServerSettings,
  startEmbeddedDatabase,
} from '@gpu-observatory/embedded-database';
import { copyCluster } from './base-backup.ts';

/** A PostgreSQL server of one test, which the test may kill and freeze. */
export interface DedicatedServer {
  /** `postgres://` URL of the superuser. */
  adminUrl: string;
  /** Starts the server again after `kill`. */
  start(): Promise<void>;
  /** Sends SIGKILL to the server and its child processes. */
  kill(): Promise<void>;
  /** Sends SIGSTOP to all of them: connections stay open without a response. */
  freeze(): void;
  thaw(): void;
  /** Starts a hot standby that streams from this server, which needs `PRIMARY_SETTINGS`. */
  startStandby(): Promise<DedicatedServer>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

/** Settings of a server with standbys. */
export const PRIMARY_SETTINGS = { wal_level: 'replica', max_wal_senders: 4, wal_keep_size: '64MB' };
const PASSWORD = 'secret';

export function startDedicatedServer(settings: ServerSettings = {}): Promise<DedicatedServer> {
  return startIn(createDirectory(), settings);
}

function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'dedicated-server-'));
  // Root's server runs under another account.
  chmodSync(directory, 0o711);
  return directory;
}

async function startIn(dataDirectory: string, settings: ServerSettings): Promise<DedicatedServer> {
  const port = await freePort();
  const startServer = () =>
    startEmbeddedDatabase({ dataDirectory, port, superuserPassword: PASSWORD, disposable: true, settings });
  let server: EmbeddedDatabase = await startServer();
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [server.pid, ...childrenOf(server.pid)]) signalIfAlive(pid, name);
  };
  return {
    adminUrl: server.adminUrl,
    start: async () => {
      server = await startServer();
    },
    kill: async () => {
      signal('SIGKILL');
      await server.exited;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    startStandby: async () => {
      const copy = createDirectory();
      await copyCluster(server.adminUrl, dataDirectory, copy);
      const primary_conninfo = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD}`;
      return startIn(copy, { ...settings, primary_conninfo });
    },
    remove: async () => {
      signal('SIGCONT');
      await server.stop();
      await removeEmbeddedDatabase(dataDirectory);
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

function childrenOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid);
}

function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
