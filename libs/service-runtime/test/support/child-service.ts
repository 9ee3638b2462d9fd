import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';

export interface ChildService {
  process: ChildProcess;
  url: string;
  managementUrl: string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  stdout(): string;
  stderr(): string;
}

/** Starts `stopping-service.mjs` and waits until it is ready or has exited. */
export async function startChildService(environment: Record<string, string>): Promise<ChildService> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const script = fileURLToPath(new URL('stopping-service.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort), ...environment },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const service: ChildService = {
    process: child,
    url: `http://127.0.0.1:${port}`,
    managementUrl: `http://127.0.0.1:${managementPort}`,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
  };
  while (child.exitCode === null && !(await isReady(service))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return service;
}

export async function isReady({ managementUrl }: ChildService): Promise<boolean> {
  return fetch(`${managementUrl}/readyz`).then(
    (response) => response.status === 200,
    () => false,
  );
}
