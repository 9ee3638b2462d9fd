import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const START_WITHIN_MS = 120_000;

/** A server in a process of its own. */
export interface ServiceProcess {
  url: string;
  stop(): Promise<void>;
}

/**
 * Runs a program until it answers.
 *
 * @param readyUrl answers, and with no 5xx, once the service is ready
 * @throws Error when it is not within 2 minutes
 */
export async function startProcess(
  program: string,
  { url, readyUrl, environment }: { url: string; readyUrl: string; environment: Record<string, string> },
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { NODE_ENV: 'production', ...environment },
  });
  const service = { url, stop: () => end(child) };
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    const answer = await fetch(readyUrl).catch(() => null);
    if (answer !== null && answer.status < 500) return service;
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
