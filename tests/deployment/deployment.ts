import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { freePort } from '@gpu-observatory/embedded-database';
import {
  accountServiceEnvironment,
  demoAccounts,
  startIdentityProvider,
  startTokenIssuer,
  type TokenIssuer,
} from '@gpu-observatory/identity-provider';
import { ChildProgram, runToCompletion, waitUntilReady } from '@gpu-observatory/local-stack';
import { startDedicatedServer } from '@gpu-observatory/testing';
import pg from 'pg';

export type ServiceName = 'fleet-api' | 'account-service' | 'website-api';
type Environment = Record<string, string>;

/** The services of one build, with the fixed data set. */
export interface Deployment {
  urls: Record<ServiceName, string>;
  issuer: TokenIssuer;
  stop(): Promise<void>;
}

export const FRONTEND_URL = 'https://console.example';
const folder = fileURLToPath(new URL('.', import.meta.url));

/** Schema, owner role and other roles of a service. */
const ROLES: Record<ServiceName, { schema: string; owner: string; others: string[] }> = {
  'fleet-api': { schema: 'fleet', owner: 'fleet_owner', others: ['fleet_api', 'fleet_importer'] },
  'account-service': { schema: 'account', owner: 'account_owner', others: ['account_service'] },
  'website-api': { schema: 'website', owner: 'website_owner', others: ['website_api'] },
};

export interface DeploymentOptions {
  /** Folder of the checkout that has each service compiled. */
  builds: Record<ServiceName, string>;
  /** RFC 3339. All clocks stand still at this time, so that responses depend on the requests alone; default real clocks. */
  time?: string;
  /** Whether fleet-api accepts the tokens of account-service, or those of `issuer` with any access. */
  tokens: 'account-service' | 'issuer';
}

/** Starts PostgreSQL, an identity provider and the compiled services, and imports the data set. */
export async function startDeployment({ builds, time, tokens }: DeploymentOptions): Promise<Deployment> {
  await using started = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'gpu-observatory-frozen-'));
  started.defer(() => rmSync(directory, { recursive: true, force: true }));
  const database = await startDedicatedServer();
  started.defer(() => database.remove());
  const password = randomBytes(16).toString('hex');
  const urlOf = (role: string) =>
    Object.assign(new URL(database.adminUrl), { username: role, password }).href;

  const processEnvironment: Environment = {
    ...(time !== undefined && { FROZEN_TIME: time, NODE_OPTIONS: `--import=${join(folder, 'clock.mjs')}` }),
  };
  const { signal } = new AbortController();
  const operate = (service: ServiceName, args: string[]) => {
    const { owner, others } = ROLES[service];
    return runToCompletion(
      {
        name: `${service}-operations`,
        script: join(builds[service], 'apps', service, 'dist/src/cli.js'),
        args,
        env: {
          ...processEnvironment,
          ADMINISTRATOR_DATABASE_URL: database.adminUrl,
          OWNER_DATABASE_URL: urlOf(owner),
          DATABASE_URL: urlOf(others[0]!),
          ...(others[1] === undefined ? {} : { IMPORTER_DATABASE_URL: urlOf(others[1]) }),
          OPERATOR: 'frozen-requests',
        },
        logs: directory,
      },
      signal,
    );
  };
  for (const service of Object.keys(ROLES) as ServiceName[]) {
    await operate(service, ['database', 'prepare']);
    if (time !== undefined) await stopClock(database.adminUrl, service, time);
    await operate(service, ['migrate']);
  }
  const records = join(directory, 'fleet.ndjson');
  writeFileSync(records, brotliDecompressSync(readFileSync(join(folder, 'data/fleet.ndjson.br'))));
  await operate('fleet-api', ['import', 'ndjson', records, '--quiet', '--rejects', `${records}.rejects`]);
  await operate('account-service', ['tenants', 'apply', '-f', join(folder, 'data/tenants.json')]);
  await operate('website-api', ['content', 'sync', join(folder, 'data/content')]);

  const issuer = await startTokenIssuer();
  started.defer(() => issuer.stop());
  const ports = await freePorts();
  const url = (service: ServiceName) => `http://127.0.0.1:${ports[service].public}`;
  const client = (name: 'github' | 'google') => ({
    clientId: name,
    clientSecret: randomBytes(16).toString('hex'),
    redirectUris: [`${url('account-service')}/api/v1/auth/${name}/callback`],
  });
  const clients = { github: client('github'), google: client('google') };
  const provider = await startIdentityProvider({ port: 0, accounts: demoAccounts, clients });
  started.defer(() => provider.stop());

  const internalCredential = randomBytes(32).toString('hex');
  const internalUrl = `http://127.0.0.1:${ports['account-service'].internal}`;
  const environments: Record<ServiceName, Environment> = {
    'account-service': {
      PUBLIC_URL: url('account-service'),
      SIGNING_KEY_SECRET: randomBytes(32).toString('hex'),
      INTERNAL_CREDENTIAL: internalCredential,
      INTERNAL_PORT: String(ports['account-service'].internal),
      FRONTEND_URLS: FRONTEND_URL,
      RATE_LIMITS: 'false',
      ...accountServiceEnvironment(provider, clients),
    },
    'fleet-api': {
      PUBLIC_URL: 'https://fleet.example',
      ...(tokens === 'issuer'
        ? trust(issuer.url, issuer.url, issuer.internalCredential)
        : trust(url('account-service'), internalUrl, internalCredential)),
    },
    'website-api': {
      SITE_URL: 'https://www.example',
      DOCS_URL: 'https://www.example/developers',
      FLEET_URL: 'https://fleet.example',
      ACCOUNT_URL: 'https://account.example',
      SIGN_IN_URL: FRONTEND_URL,
      CONTACT_EMAIL: 'hello@www.example',
      ACCOUNT_INTERNAL_URL: internalUrl,
      INTERNAL_CREDENTIAL: internalCredential,
      RATE_LIMITS: 'false',
    },
  };
  for (const service of ['account-service', 'fleet-api', 'website-api'] as const) {
    const program = new ChildProgram({
      name: service,
      script: join(builds[service], 'apps', service, 'dist/src/main.js'),
      env: {
        ...processEnvironment,
        HOST: '127.0.0.1',
        PORT: String(ports[service].public),
        MANAGEMENT_PORT: String(ports[service].management),
        DATABASE_URL: urlOf(ROLES[service].others[0]!),
        ALLOWED_ORIGINS: FRONTEND_URL,
        SHUTDOWN_DRAIN_SECONDS: '0',
        LOG_LEVEL: 'warn',
        ...environments[service],
      },
      logs: directory,
    });
    started.defer(() => program.stop());
    await waitUntilReady(program, ports[service].management, signal);
  }
  const running = started.move();
  return {
    urls: {
      'fleet-api': url('fleet-api'),
      'account-service': url('account-service'),
      'website-api': url('website-api'),
    },
    issuer,
    stop: () => running.disposeAsync(),
  };
}

/** Returns the settings of fleet-api for the issuer of access tokens. */
function trust(issuerUrl: string, internalUrl: string, credential: string): Environment {
  return {
    TOKEN_ISSUER: issuerUrl,
    JWKS_URL: `${issuerUrl}/.well-known/jwks.json`,
    ACCOUNT_INTERNAL_URL: internalUrl,
    INTERNAL_CREDENTIAL: credential,
  };
}

/**
 * Replaces the clock functions for the roles of a service: a schema before `pg_catalog` in the search path has functions of
 * the same names that return `time`. There is no supported way to change PostgreSQL's clock.
 */
async function stopClock(adminUrl: string, service: ServiceName, time: string): Promise<void> {
  const { schema, owner, others } = ROLES[service];
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    await client.query(
      'CREATE SCHEMA IF NOT EXISTS frozen_clock; GRANT USAGE ON SCHEMA frozen_clock TO PUBLIC',
    );
    for (const name of ['now', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp'])
      await client.query(
        `CREATE OR REPLACE FUNCTION frozen_clock.${name}() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
         RETURN ${pg.escapeLiteral(time)}::timestamptz`,
      );
    for (const role of [owner, ...others])
      await client.query(
        `ALTER ROLE ${role} IN DATABASE postgres SET search_path = ${schema}, frozen_clock, pg_catalog`,
      );
  } finally {
    await client.end();
  }
}

async function freePorts() {
  const ports = async () => ({
    public: await freePort(),
    management: await freePort(),
    internal: await freePort(),
  });
  return {
    'fleet-api': await ports(),
    'account-service': await ports(),
    'website-api': await ports(),
  };
}
