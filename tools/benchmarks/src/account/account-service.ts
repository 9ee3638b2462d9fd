import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@gpu-observatory/embedded-database';
import {
  accountServiceEnvironment,
  demoAccounts,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';
import { runCommand, startService } from '../service-process.ts';
import { startTemporaryDatabase } from '../temporary-database.ts';

const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    administrators: [ada@acme.example]
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
  const { directory, environment } = await startTemporaryDatabase(started, 'account-service', {
    owner: 'account_owner',
    service: 'account_service',
  });
  const tenants = join(directory, 'tenants.yaml');
  await writeFile(tenants, TENANTS);
  await runCommand('account-service', ['tenants', 'apply', '-f', tenants], environment);

  const [port, internalPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const client = (id: string) => ({
    clientId: id,
    clientSecret: randomBytes(16).toString('hex'),
    redirectUris: [`${url}/api/v1/auth/${id}/callback`],
  });
  const clients = { github: client('github'), google: client('google') };
  const provider = await startIdentityProvider({ port: 0, accounts: demoAccounts, clients });
  started.defer(() => provider.stop());
  const internalCredential = randomBytes(32).toString('hex');
  const settings = {
    INTERNAL_PORT: String(internalPort),
    INTERNAL_CREDENTIAL: internalCredential,
    DATABASE_URL: environment.DATABASE_URL,
    PUBLIC_URL: url,
    FRONTEND_URLS: FRONTEND_URL,
    SIGNING_KEY_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'false',
    ...accountServiceEnvironment(provider, clients),
    LOG_LEVEL: 'info',
  };
  const service = await startService('account-service', settings, port);
  started.defer(() => service.stop());
  const running = started.move();
  return {
    url,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    managementUrl: service.managementUrl,
    internalCredential,
    ownerDatabaseUrl: environment.OWNER_DATABASE_URL,
    stop: () => running.disposeAsync(),
  };
}
