import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { ADDRESSES } from './website.ts';

/** The compiled program from `npm run build`, because a test must kill a real process. */
const PROGRAM = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

export interface WebsiteProcess {
  url: string;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the service as a separate process and waits until it is ready. */
export async function startWebsiteProcess(environment: Record<string, string>): Promise<WebsiteProcess> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    env: {
      ...ADDRESSES,
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      LOG_LEVEL: 'error',
      SHUTDOWN_DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service exited with code ${child.exitCode}`);
    const ready = await fetch(`http://127.0.0.1:${managementPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
