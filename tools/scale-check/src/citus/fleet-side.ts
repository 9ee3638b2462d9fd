import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Access } from '@gpu-observatory/domain-types';
import { query } from '@gpu-observatory/embedded-database';
import type { TokenIssuer } from '@gpu-observatory/identity-provider';
import { databaseUrls, ensureSecrets, openDataDirectory, operate } from '@gpu-observatory/local-stack';
import { prepareReplica } from '../replica.ts';

/** fleet-api and its operations commands on one database: the Citus cluster or the control. */
export type FleetSide = Awaited<ReturnType<typeof prepareSide>>;

/**
 * @param administratorUrl of a superuser on an empty database
 * @param folder for logs and imported records
 */
export async function prepareSide(
  name: string,
  administratorUrl: string,
  { issuer, folder, signal }: { issuer: TokenIssuer; folder: string; signal: AbortSignal },
) {
  const directory = openDataDirectory(join(folder, name));
  const { logs, rejects } = directory;
  const urls = databaseUrls(administratorUrl, ensureSecrets(directory));
  const environment = {
    ADMINISTRATOR_DATABASE_URL: administratorUrl,
    OWNER_DATABASE_URL: urls.owners.fleet,
    IMPORTER_DATABASE_URL: urls.importer,
    DATABASE_URL: urls.runtimes.fleet,
  };
  const service = await prepareReplica(
    'fleet',
    1,
    {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      DATABASE_URL: urls.runtimes.fleet,
      // The checks measure the database, not the cache and not the limits of a customer.
      RESPONSE_CACHE_MB: '0',
      CUSTOMER_CONCURRENT_READS: '50',
      CUSTOMER_CONCURRENT_SLOW_READS: '50',
      TOKEN_ISSUER: issuer.url,
      JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
      ACCOUNT_INTERNAL_URL: issuer.url,
      INTERNAL_CREDENTIAL: issuer.internalCredential,
    },
    logs,
  );
  const side = {
    name,
    /** Queries the database as the superuser. */
    query: <Row extends object>(statement: string) => query<Row>(administratorUrl, statement),
    /** Runs an operations command of fleet-api and returns its standard output. */
    operate: (args: string[], more: Record<string, string> = {}, input?: Iterable<string>) =>
      operate('fleet', args, { ...environment, ...more }, logs, signal, input),
    /** @throws {AssertionError} when the importer rejects a record */
    async import(lines: Iterable<string>): Promise<void> {
      const args = ['import', 'ndjson', '-', '--rejects', join(rejects, 'records.ndjson')];
      const output = await side.operate(args, {}, lines);
      assert(!/"rejected":[1-9]/.test(output), `${name} rejected records: ${output.slice(-500)}`);
    },
    start: () => service.start(signal),
    stop: () => service.stop(),
    async get(path: string, access: Access): Promise<{ status: number; body: string }> {
      const headers = await issuer.headers(access);
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
      return { status: response.status, body: await response.text() };
    },
    /** Runs a check during which Citus rejects a statement of fleet-api that it would send to several shards. */
    async withOneShardPerStatement<Result>(run: () => Promise<Result>): Promise<Result> {
      const restartWith = async (setting: string) => {
        // Settings of a role apply to new connections.
        await side.query(`ALTER ROLE "${new URL(urls.runtimes.fleet).username}" ${setting}`);
        await side.stop();
        await side.start();
      };
      await restartWith("SET citus.multi_task_query_log_level = 'error'");
      try {
        return await run();
      } finally {
        await restartWith('RESET citus.multi_task_query_log_level');
      }
    },
  };
  return side;
}
