import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { imageEnvironment } from '@gpu-observatory/testing';
import {
  accountServiceEnvironment,
  type IdentityProviderEndpoints,
} from '@gpu-observatory/identity-provider';
import { stopAtExit } from './interruption.ts';
import type { Replica } from './load-balancer.ts';

export const serviceNames = ['fleet-api', 'account-service', 'website-api'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Hostnames that only the load balancer and the client resolve. */
export const hostnames: Record<ServiceName, string> = {
  'fleet-api': 'fleet.gpu-observatory.test',
  'account-service': 'account.gpu-observatory.test',
  'website-api': 'www.gpu-observatory.test',
};

export const FRONTEND_URL = 'https://app.gpu-observatory.test';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const schemas: Record<ServiceName, { owner: string; runtime: string }> = {
  'fleet-api': { owner: 'fleet_owner', runtime: 'fleet_api' },
  'account-service': { owner: 'account_owner', runtime: 'account_service' },
  'website-api': { owner: 'website_owner', runtime: 'website_api' },
};
const READY_TIMEOUT_MS = 60_000;

/** Ports, credentials and URLs that the services' settings refer to. */
export interface Infrastructure {
  edgePort: number;
  poolerPort: number;
  /** URL of the superuser, without the pooler. */
  primaryUrl: string;
  /** Load-balanced ports of account-service for the other services. */
  accountPorts: { public: number; internal: number };
  /** By database role. */
  passwords: Record<string, string>;
  internalCredential: string;
  signingKeySecret: string;
  clients: Record<'github' | 'google', { clientId: string; clientSecret: string }>;
}

/**
 * Runs an operations command on the primary without the pooler, because migrations hold a session lock.
 *
 * @returns its standard output
 * @throws {Error} with its standard error when it fails
 */
export async function operate(
  service: ServiceName,
  args: string[],
  infrastructure: Infrastructure,
  folder: string,
  input = '',
): Promise<string> {
  const { primaryUrl, passwords } = infrastructure;
  const roleUrl = (role: string) =>
    Object.assign(new URL(primaryUrl), { username: role, password: passwords[role] }).href;
  const { owner, runtime } = schemas[service];
  const child = spawn(process.execPath, [join(root, 'apps', service, 'dist/src/cli.js'), ...args], {
    cwd: folder,
    env: {
      ADMINISTRATOR_DATABASE_URL: primaryUrl,
      OWNER_DATABASE_URL: roleUrl(owner),
      DATABASE_URL: roleUrl(runtime),
      ...(service === 'fleet-api' ? { IMPORTER_DATABASE_URL: roleUrl('fleet_importer') } : {}),
      OPERATOR: 'scale-check',
    },
  });
  stopAtExit(child);
  child.stdin.on('error', () => {}); // The exit code is more informative.
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`${service} ${args.join(' ')} failed:\n${errors}`);
  return output;
}

/** One process of a service. Restarts on the same ports. */
export class ServiceReplica implements Replica {
  readonly service: ServiceName;
  readonly name: string;
  readonly port: number;
  readonly managementPort: number;
  /** Port of account-service for the other services. */
  readonly internalPort: number;
  private readonly environment: Record<string, string>;
  private readonly logFile: string;
  private child: ChildProcess | undefined;

  private constructor(
    service: ServiceName,
    name: string,
    [port, managementPort, internalPort]: [number, number, number],
    environment: Record<string, string>,
    folder: string,
  ) {
    this.service = service;
    this.name = name;
    this.port = port;
    this.managementPort = managementPort;
    this.internalPort = internalPort;
    this.environment = environment;
    this.logFile = join(folder, `${name}.log`);
  }

  static async prepare(
    service: ServiceName,
    number: number,
    infrastructure: Infrastructure,
    provider: IdentityProviderEndpoints,
    folder: string,
  ): Promise<ServiceReplica> {
    const ports = [await freePort(), await freePort(), await freePort()] as [number, number, number];
    const environment = {
      ...imageEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(ports[0]),
      MANAGEMENT_PORT: String(ports[1]),
      ...(service === 'account-service' ? { INTERNAL_PORT: String(ports[2]) } : {}),
      ...environmentOf(service, infrastructure, provider),
    };
    return new ServiceReplica(service, `${service}-${number}`, ports, environment, folder);
  }

  get address(): Replica {
    return { name: this.name, port: this.port, managementPort: this.managementPort };
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const log = openSync(this.logFile, 'a', 0o600);
    const child = spawn(process.execPath, [join(root, 'apps', this.service, 'dist/src/main.js')], {
      env: this.environment,
      stdio: ['ignore', log, log],
    });
    this.child = stopAtExit(child);
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await this.readiness()).ready) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${this.name} is not ready:\n${readFileSync(this.logFile, 'utf8').slice(-4_000)}`);
      await sleep(100);
    }
  }

  /** Reads `/readyz`. Returns not ready when the process does not respond. */
  async readiness(): Promise<{ ready: boolean; checks: Record<string, string> }> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.managementPort}/readyz`, {
        signal: AbortSignal.timeout(2_000),
      });
      return (await response.json()) as { ready: boolean; checks: Record<string, string> };
    } catch {
      return { ready: false, checks: {} };
    }
  }

  /** Stops the process with SIGTERM, as Kubernetes does. */
  async stop(): Promise<{ code: number | null; milliseconds: number }> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return { code: null, milliseconds: 0 };
    const started = performance.now();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), 30_000);
    await ended;
    clearTimeout(force);
    return { code: child.exitCode, milliseconds: performance.now() - started };
  }
}

function environmentOf(
  service: ServiceName,
  {
    edgePort,
    poolerPort,
    accountPorts,
    passwords,
    internalCredential,
    signingKeySecret,
    clients,
  }: Infrastructure,
  provider: IdentityProviderEndpoints,
): Record<string, string> {
  const publicUrl = (name: ServiceName) => `https://${hostnames[name]}:${edgePort}`;
  const database = (role: string, name: 'reads' | 'writes') =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${poolerPort}/${name}`;
  const common = {
    DATABASE_NAMED_STATEMENTS: 'false',
    TRUSTED_PROXIES: '127.0.0.1/32',
    ALLOWED_ORIGINS: FRONTEND_URL,
    INTERNAL_CREDENTIAL: internalCredential,
    LOG_LEVEL: 'warn',
  };
  const internalUrl = `http://127.0.0.1:${accountPorts.internal}`;
  switch (service) {
    case 'fleet-api':
      return {
        ...common,
        DATABASE_URL: database('fleet_api', 'reads'),
        PUBLIC_URL: publicUrl('fleet-api'),
        TOKEN_ISSUER: publicUrl('account-service'),
        JWKS_URL: `http://127.0.0.1:${accountPorts.public}/.well-known/jwks.json`,
        ACCOUNT_INTERNAL_URL: internalUrl,
      };
    case 'account-service':
      return {
        ...common,
        DATABASE_URL: database('account_service', 'writes'),
        PUBLIC_URL: publicUrl('account-service'),
        SIGNING_KEY_SECRET: signingKeySecret,
        FRONTEND_URLS: FRONTEND_URL,
        ...accountServiceEnvironment(provider, clients),
      };
    case 'website-api':
      return {
        ...common,
        DATABASE_URL: database('website_api', 'writes'),
        SITE_URL: publicUrl('website-api'),
        DOCS_URL: `${publicUrl('website-api')}/developers`,
        FLEET_URL: publicUrl('fleet-api'),
        ACCOUNT_URL: publicUrl('account-service'),
        CONTACT_EMAIL: 'hello@gpu-observatory.test',
        ACCOUNT_INTERNAL_URL: internalUrl,
      };
  }
}
