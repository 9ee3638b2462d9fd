import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@gpu-observatory/embedded-database';
import {
  accountServiceEnvironment,
  demoAccounts,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';
import { startProcess } from '../service-process.ts';
import { startTemporaryDatabase } from '../temporary-database.ts';

const programs = new URL('../../../../apps/account-service/dist/src/', import.meta.url);
const programPath = (name: string) => fileURLToPath(new URL(name, programs));

const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    workspaces: [{ slug: research, name: Research }]
`;

export const FRONTEND_URL = 'http://localhost:3000';

export interface RunningAccountService {
  url: string;
  internalUrl: string;
  managementUrl: string;
  internalCredential: string;
  ownerDatabaseUrl: string;
  stop(): Promise<void>;
}

/** Starts one process of the built account-service with its own database and identity provider. */
export async function startAccountService(): Promise<RunningAccountService> {
  await using started = new AsyncDisposableStack();
  const database = await startTemporaryDatabase(started);
  const operations = {
    ADMINISTRATOR_DATABASE_URL: database.adminUrl,
    OWNER_DATABASE_URL: database.roleUrl('account_owner'),
    DATABASE_URL: database.roleUrl('account_service'),
    LOG_LEVEL: 'warn',
  };
  const tenants = join(database.directory, 'tenants.yaml');
  await writeFile(tenants, TENANTS);
  for (const args of [['database', 'prepare'], ['migrate'], ['tenants', 'apply', '-f', tenants]])
    await promisify(execFile)(process.execPath, [programPath('cli.js'), ...args], { env: operations });

  const [port, managementPort, internalPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const client = (id: string) => ({
    clientId: id,
    clientSecret: randomBytes(16).toString('hex'),
    redirectUris: [`${url}/api/v1/auth/${id}/callback`],
  });
  const clients = { github: client('github'), google: client('google') };
  const provider = await startIdentityProvider({ port: 0, accounts: demoAccounts, clients });
  started.defer(() => provider.stop());
  const internalCredential = randomBytes(32).toString('hex');
  const service = await startProcess(programPath('main.js'), {
    url,
    readyUrl: `${managementUrl}/readyz`,
    environment: {
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
  started.defer(() => service.stop());
  const running = started.move();
  return {
    url,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    managementUrl,
    internalCredential,
    ownerDatabaseUrl: operations.OWNER_DATABASE_URL,
    stop: () => running.disposeAsync(),
  };
}
