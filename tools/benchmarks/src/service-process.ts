import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '@gpu-observatory/domain-types';

const START_TIMEOUT_MS = 2 * MINUTE_MS;
/** Stops the child when this process is gone, even after a SIGKILL. */
const exitWithParent = new URL('../../bootstrap/exit-with-parent.mjs', import.meta.url).href;

/** A server in its own process. */
export interface ServiceProcess {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it is ready.
 *
 * @param readyUrl responds with a status below 500 once the server is ready
 * @throws {Error} when the program exits or is not ready within 2 minutes
 */
export async function startProcess(
  program: string,
  { url, readyUrl, environment }: { url: string; readyUrl: string; environment: Record<string, string> },
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--import', exitWithParent, program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { NODE_ENV: 'production', ...environment },
  });
  const service = { url, stop: () => end(child) };
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(readyUrl).catch(() => null);
    if (response !== null && response.status < 500) return service;
    if (child.exitCode !== null || Date.now() > deadline) {
      await service.stop();
      throw new Error(`${program} did not become ready within 2 minutes`);
    }
    await sleep(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
