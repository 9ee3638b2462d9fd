import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  freePort,
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
} from '@gpu-observatory/embedded-database';

/** A PostgreSQL server of a test's own, to be killed and frozen. */
export interface OwnServer {
  url: string;
  start(): Promise<void>;
  /** SIGKILL to the server and all its children. */
  kill(): Promise<void>;
  /** SIGSTOP to them all: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

export async function createOwnServer(): Promise<OwnServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'own-server-'));
  const port = await freePort();
  let running: EmbeddedDatabase;
  const start = async () => {
    const options = { dataDirectory, port, superuserPassword: 'secret', disposable: true };
    running = await startEmbeddedDatabase(options);
  };
  await start();
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [running.pid, ...childrenOf(running.pid)]) signalIfAlive(pid, name);
  };
  return {
    url: running!.adminUrl,
    start,
    kill: async () => {
      signal('SIGKILL');
      await running.exited;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    remove: async () => {
      signal('SIGCONT');
      await running.stop();
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
