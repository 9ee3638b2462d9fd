import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { freePort, imageEnvironment } from '@gpu-observatory/embedded-database';

const START_TIMEOUT_MS = 2 * MINUTE_MS;
/** Stops the child when this process is gone, even after a SIGKILL. */
const exitWithParent = new URL('../../bootstrap/exit-with-parent.mjs', import.meta.url).href;

/** A server in its own process. */
export interface ServiceProcess {
  url: string;
  processId: number;
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
  const service = { url, processId: child.pid as number, stop: () => end(child) };
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

type Service = 'account-service' | 'fleet-api' | 'website-api';

export const programOf = (service: Service, name: 'main' | 'cli'): string =>
  fileURLToPath(new URL(`../../../apps/${service}/dist/src/${name}.js`, import.meta.url));

/** Runs an operations command of a built service. */
export async function runCommand(
  service: Service,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  await promisify(execFile)(process.execPath, [programOf(service, 'cli'), ...args], { env });
}

/** Starts one process of a built service, with its public port if that must be known before. */
export async function startService(
  service: Service,
  environment: Record<string, string>,
  port?: number,
): Promise<ServiceProcess & { managementUrl: string }> {
  const [publicPort, managementPort] = [port ?? (await freePort()), await freePort()];
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const started = await startProcess(programOf(service, 'main'), {
    url: `http://127.0.0.1:${publicPort}`,
    readyUrl: `${managementUrl}/readyz`,
    environment: {
      HOST: '127.0.0.1',
      PORT: String(publicPort),
      MANAGEMENT_PORT: String(managementPort),
      SHUTDOWN_DRAIN_SECONDS: '0',
      ...imageEnvironment(),
      ...environment,
    },
  });
  return { ...started, managementUrl };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
