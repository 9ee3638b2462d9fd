import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  freePort,
  removeEmbeddedDatabase,
  type ServerSettings,
  startEmbeddedDatabase,
} from '@gpu-observatory/embedded-database';

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
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
}

export async function startDedicatedServer(settings: ServerSettings = {}): Promise<DedicatedServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'dedicated-server-'));
  const port = await freePort();
  const startServer = () =>
    startEmbeddedDatabase({ dataDirectory, port, superuserPassword: 'secret', disposable: true, settings });
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
