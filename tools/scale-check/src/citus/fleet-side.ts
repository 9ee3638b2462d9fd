import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { freePort, query } from '@gpu-observatory/embedded-database';
import type { TokenIssuer } from '@gpu-observatory/identity-provider';

const FLEET = fileURLToPath(new URL('../../../../apps/fleet-api/dist/src/', import.meta.url));
const RECORDER = new URL('record-statements.ts', import.meta.url).href;
const READY_TIMEOUT_MS = 60_000;

export interface SideOptions {
  name: string;
  /** URL of a superuser on an empty database. */
  administratorUrl: string;
  isDistributed: boolean;
  issuer: TokenIssuer;
  /** For logs and recorded statements. */
  folder: string;
}

/** fleet-api and its operations commands on one database: the Citus cluster or the control. */
export class FleetSide {
  readonly name: string;
  readonly administratorUrl: string;
  readonly isDistributed: boolean;
  readonly statementsFile: string;
  private readonly issuer: TokenIssuer;
  private readonly folder: string;
  private readonly password = randomBytes(16).toString('hex');
  private readonly tokens = new Map<string, Promise<string>>();
  private child: ChildProcess | undefined;
  private port = 0;

  constructor({ name, administratorUrl, isDistributed, issuer, folder }: SideOptions) {
    this.name = name;
    this.administratorUrl = administratorUrl;
    this.isDistributed = isDistributed;
    this.issuer = issuer;
    this.folder = folder;
    this.statementsFile = join(folder, `${name}-statements.ndjson`);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  roleUrl(role: 'fleet_owner' | 'fleet_api' | 'fleet_importer'): string {
    return Object.assign(new URL(this.administratorUrl), { username: role, password: this.password }).href;
  }

  /** Queries the database as the superuser. */
  query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.administratorUrl, statement, values);
  }

  /**
   * Runs an operations command of fleet-api.
   *
   * @returns its standard output
   * @throws {Error} with its standard error when it fails
   */
  async operate(
    args: string[],
    { input = [], environment = {} }: { input?: Iterable<string>; environment?: Record<string, string> } = {},
  ): Promise<string> {
    const child = spawn(process.execPath, [join(FLEET, 'cli.js'), ...args], {
      cwd: this.folder,
      env: {
        ADMINISTRATOR_DATABASE_URL: this.administratorUrl,
        OWNER_DATABASE_URL: this.roleUrl('fleet_owner'),
        IMPORTER_DATABASE_URL: this.roleUrl('fleet_importer'),
        DATABASE_URL: this.roleUrl('fleet_api'),
        ...environment,
      },
    });
    const exited = once(child, 'exit');
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    await pipeline(Readable.from(input), child.stdin).catch(() => {}); // The exit code is more informative.
    const [printed, errors] = await output;
    await exited;
    if (child.exitCode !== 0)
      throw new Error(`${args.join(' ')} failed on ${this.name}:\n${errors.slice(-2_000)}`);
    return printed;
  }

  /** Starts fleet-api, with its statements recorded, and waits until it is ready. */
  async start(): Promise<void> {
    this.port = await freePort();
    const managementPort = await freePort();
    const logFile = join(this.folder, `${this.name}.log`);
    const log = openSync(logFile, 'a', 0o600);
    const child = spawn(process.execPath, ['--import', RECORDER, join(FLEET, 'main.js')], {
      stdio: ['ignore', log, log],
      env: {
        HOST: '127.0.0.1',
        PORT: String(this.port),
        MANAGEMENT_PORT: String(managementPort),
        LOG_LEVEL: 'warn',
        DATABASE_URL: this.roleUrl('fleet_api'),
        // The checks measure the database, not the cache and not the limits of a customer.
        RESPONSE_CACHE_MB: '0',
        CUSTOMER_CONCURRENT_READS: '50',
        CUSTOMER_CONCURRENT_SLOW_READS: '50',
        TOKEN_ISSUER: this.issuer.url,
        JWKS_URL: `${this.issuer.url}/.well-known/jwks.json`,
        ACCOUNT_INTERNAL_URL: this.issuer.url,
        INTERNAL_CREDENTIAL: this.issuer.internalCredential,
        RECORDED_STATEMENTS: this.statementsFile,
      },
    });
    this.child = child;
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${managementPort}/readyz`).catch(() => null);
      if (ready?.status === 200) return;
      if (child.exitCode !== null || Date.now() > deadline) {
        const checks = ready === null ? 'no response' : await ready.text();
        throw new Error(
          `fleet-api on ${this.name} is not ready: ${checks}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`,
        );
      }
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    if (this.child === undefined || this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  async get(path: string, access: Access): Promise<{ status: number; body: string }> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${await this.token(access)}` },
    });
    return { status: response.status, body: await response.text() };
  }

  token(access: Access): Promise<string> {
    const key = JSON.stringify(access);
    const token = this.tokens.get(key) ?? this.issuer.token(access);
    this.tokens.set(key, token);
    return token;
  }
}
