import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, removeEmbeddedDatabase, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import {
  accountServiceEnvironment,
  demoAccounts,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';

const programs = new URL('../../../apps/account-service/dist/src/', import.meta.url);
const programOf = (name: string) => fileURLToPath(new URL(name, programs));
/** Ends the service when this program is gone, however it went. */
const lifeline = new URL('../../bootstrap/lifeline.mjs', import.meta.url).href;
const START_WITHIN_MS = 120_000;

const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    workspaces: [{ slug: research, name: Research }]
`;

export const FRONTEND_URL = 'http://localhost:3000';

export interface MeasuredService {
  url: string;
  internalUrl: string;
  managementUrl: string;
  internalCredential: string;
  stop(): Promise<void>;
}

/** One process of account-service, as built, on a database and beside an identity provider of its own. */
export async function startAccountService(): Promise<MeasuredService> {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  const [databasePort, port, managementPort, internalPort] = (await Promise.all(
    Array.from({ length: 4 }, freePort),
  )) as [number, number, number, number];
  const stopping: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true }),
    // Run by root, its files may lie elsewhere.
    () => removeEmbeddedDatabase(join(directory, 'database')),
  ];
  const stop = async () => {
    for (const step of stopping.reverse()) await step();
  };
  try {
    const database = await startEmbeddedDatabase({
      dataDirectory: join(directory, 'database'),
      port: databasePort,
      superuserPassword: randomBytes(16).toString('hex'),
    });
    stopping.push(() => database.stop());
    const urlOf = (role: string) => {
      const url = new URL(database.adminUrl);
      url.username = role;
      url.password = randomBytes(16).toString('hex');
      return url.href;
    };
    const operations = {
      ADMINISTRATOR_DATABASE_URL: database.adminUrl,
      OWNER_DATABASE_URL: urlOf('account_owner'),
      DATABASE_URL: urlOf('account_service'),
      LOG_LEVEL: 'warn',
    };
    const tenants = join(directory, 'tenants.yaml');
    await writeFile(tenants, TENANTS);
    for (const words of [['database', 'prepare'], ['migrate'], ['tenants', 'apply', '-f', tenants]]) {
      await promisify(execFile)(process.execPath, [programOf('cli.js'), ...words], { env: operations });
    }

    const url = `http://127.0.0.1:${port}`;
    const client = (id: string) => ({
      clientId: id,
      clientSecret: randomBytes(16).toString('hex'),
      redirectUris: [`${url}/api/v1/auth/${id}/callback`],
    });
    const clients = { github: client('github'), google: client('google') };
    const provider = await startIdentityProvider({ port: 0, accounts: demoAccounts, clients });
    stopping.push(() => provider.stop());
    const internalCredential = randomBytes(32).toString('hex');
    const service = spawn(process.execPath, ['--import', lifeline, programOf('main.js')], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        MANAGEMENT_PORT: String(managementPort),
        INTERNAL_PORT: String(internalPort),
        INTERNAL_CREDENTIAL: internalCredential,
        DATABASE_URL: operations.DATABASE_URL,
        PUBLIC_URL: url,
        FRONTEND_URLS: FRONTEND_URL,
        SIGNING_KEY_SECRET: randomBytes(32).toString('hex'),
        RATE_LIMITS: 'false',
        SHUTDOWN_DRAIN_SECONDS: '0',
        ...accountServiceEnvironment(provider, clients),
        LOG_LEVEL: 'info',
      },
    });
    stopping.push(() => end(service));
    const managementUrl = `http://127.0.0.1:${managementPort}`;
    await untilReady(managementUrl);
    return { url, internalUrl: `http://127.0.0.1:${internalPort}`, managementUrl, internalCredential, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function untilReady(managementUrl: string): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${managementUrl}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    if (Date.now() > deadline) throw new Error('account-service did not become ready within 2 minutes');
    await sleep(50);
  }
}

async function end(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  service.kill('SIGTERM');
  await once(service, 'exit');
}
