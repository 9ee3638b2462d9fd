import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, freePort, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { type FleetUrls, prepareFleetDatabase } from './fleet-database.ts';

/** A PostgreSQL server of a test's own with the fleet schema, to be killed and frozen. */
export interface OwnDatabase {
  urls: FleetUrls;
  /** SIGKILL to the server and all its children; it recovers when it is started again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP to them all: connections stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startOwnDatabase(): Promise<OwnDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-own-'));
  chmodSync(directory, 0o711);
  const port = await freePort();
  let running: EmbeddedDatabase;
  const start = async () => {
    running = await startEmbeddedDatabase({
      dataDirectory: join(directory, 'data'),
      port,
      superuserPassword: 'of-a-test-server',
      disposable: true,
      settings: { shared_buffers: '64MB' },
    });
  };
  await start();
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [running.pid, ...childrenOf(running.pid)]) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended by itself.
      }
    }
  };
  const stop = async () => {
    signal('SIGCONT');
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return {
      urls: await prepareFleetDatabase(running!.adminUrl),
      kill: async () => {
        signal('SIGKILL');
        await running.exited;
      },
      start,
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid);
}
