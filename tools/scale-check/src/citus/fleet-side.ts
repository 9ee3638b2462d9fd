import { join } from 'node:path';
import type { Access } from '@gpu-observatory/domain-types';
import { query } from '@gpu-observatory/embedded-database';
import type { TokenIssuer } from '@gpu-observatory/identity-provider';
import { databaseUrls, ensureSecrets, openDataDirectory, operate } from '@gpu-observatory/local-stack';
import { expectThat } from '../run-checks.ts';
import { prepareReplica, type Replica } from '../replica.ts';

/** fleet-api and its operations commands on one database: the Citus cluster or the control. */
export class FleetSide {
  readonly name: string;
  readonly urls: ReturnType<typeof databaseUrls>;
  private readonly directory: ReturnType<typeof openDataDirectory>;
  private readonly issuer: TokenIssuer;
  private readonly signal: AbortSignal;
  private service: Replica | undefined;

  /**
   * @param administratorUrl of a superuser on an empty database
   * @param folder for logs and imported records
   */
  constructor(options: {
    name: string;
    administratorUrl: string;
    issuer: TokenIssuer;
    folder: string;
    signal: AbortSignal;
  }) {
    this.name = options.name;
    this.issuer = options.issuer;
    this.signal = options.signal;
    this.directory = openDataDirectory(join(options.folder, options.name));
    this.urls = databaseUrls(options.administratorUrl, ensureSecrets(this.directory));
  }

  /** Queries the database as the superuser. */
  query<Row extends object>(statement: string): Promise<Row[]> {
    return query<Row>(this.urls.administrator, statement);
  }

  /**
   * Runs an operations command of fleet-api.
   *
   * @returns its standard output
   */
  operate(
    args: string[],
    environment: Record<string, string> = {},
    input?: Iterable<string>,
  ): Promise<string> {
    const { administrator, owners, importer, runtimes } = this.urls;
    const env = {
      ADMINISTRATOR_DATABASE_URL: administrator,
      OWNER_DATABASE_URL: owners.fleet,
      IMPORTER_DATABASE_URL: importer,
      DATABASE_URL: runtimes.fleet,
      ...environment,
    };
    return operate('fleet', args, env, this.directory.logs, this.signal, input);
  }

  /** @throws {CheckFailure} when the importer rejects a record */
  async import(lines: Iterable<string>): Promise<void> {
    const rejects = join(this.directory.rejects, 'records.ndjson');
    const output = await this.operate(['import', 'ndjson', '-', '--rejects', rejects], {}, lines);
    expectThat(!/"rejected":[1-9]/.test(output), `${this.name} rejected records: ${output.slice(-500)}`);
  }

  /** Starts fleet-api, and waits until it is ready. */
  async start(): Promise<void> {
    const environment = {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      DATABASE_URL: this.urls.runtimes.fleet,
      // The checks measure the database, not the cache and not the limits of a customer.
      RESPONSE_CACHE_MB: '0',
      CUSTOMER_CONCURRENT_READS: '50',
      CUSTOMER_CONCURRENT_SLOW_READS: '50',
      TOKEN_ISSUER: this.issuer.url,
      JWKS_URL: `${this.issuer.url}/.well-known/jwks.json`,
      ACCOUNT_INTERNAL_URL: this.issuer.url,
      INTERNAL_CREDENTIAL: this.issuer.internalCredential,
    };
    this.service = await prepareReplica('fleet', 1, environment, this.directory.logs);
    await this.service.start(this.signal);
  }

  async stop(): Promise<void> {
    await this.service?.stop();
  }

  /** Runs a check during which Citus rejects a statement of fleet-api that it would send to several shards. */
  async withOneShardPerStatement<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.restartWith("SET citus.multi_task_query_log_level = 'error'");
    try {
      return await run();
    } finally {
      await this.restartWith('RESET citus.multi_task_query_log_level');
    }
  }

  /** Settings of a role apply to new connections. */
  private async restartWith(setting: string): Promise<void> {
    await this.query(`ALTER ROLE "${new URL(this.urls.runtimes.fleet).username}" ${setting}`);
    await this.stop();
    await this.start();
  }

  async get(path: string, access: Access): Promise<{ status: number; body: string }> {
    const response = await fetch(`http://127.0.0.1:${this.service?.port}${path}`, {
      headers: await this.issuer.headers(access),
    });
    return { status: response.status, body: await response.text() };
  }
}
