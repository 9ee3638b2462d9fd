import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { imageEnvironment } from '@gpu-observatory/testing';
import { type AccountStub, INTERNAL_CREDENTIAL } from './account-stub.ts';
import type { FleetUrls } from './fleet-database.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
/** Stops the service when the test process was killed. */
const exitWithParent = new URL('../../../../tools/bootstrap/exit-with-parent.mjs', import.meta.url).href;

/** The built fleet-api in its own process. */
export interface FleetProcess {
  child: ChildProcess;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  port: number;
  managementUrl: string;
  /** Returns the sum of a metric over its labels. */
  metric(name: string): Promise<number>;
}

/** Starts fleet-api and waits until it is ready. */
export async function startFleetProcess(
  database: FleetUrls,
  account: AccountStub,
  environment: Record<string, string> = {},
): Promise<FleetProcess> {
  const [port, managementPort] = [await freePort(), await freePort()];
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const child = spawn(process.execPath, ['--import', exitWithParent, PROGRAM], {
    env: {
      PATH: process.env.PATH,
      ...imageEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.apiUrl,
      DATABASE_POOL_SIZE: '5',
      TOKEN_ISSUER: account.url,
      JWKS_URL: `${account.url}/.well-known/jwks.json`,
      ACCOUNT_INTERNAL_URL: account.url,
      INTERNAL_CREDENTIAL,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const isReady = () =>
    fetch(`${managementUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('fleet-api did not start');
    await sleep(50);
  }
  const metric = async (name: string) => {
    const lines = (await (await fetch(`${managementUrl}/metrics`)).text()).split('\n');
    const values = lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.split(' ').at(-1));
    return values.reduce((sum, value) => sum + Number(value), 0);
  };
  return { child, exited, port, managementUrl, metric };
}
