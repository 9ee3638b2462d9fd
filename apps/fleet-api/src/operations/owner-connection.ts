import { OperationError, operationsSettings, readSettings } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import type { ImportConnection } from '../importer/write/import-connection.ts';

const LOCK_NOT_AVAILABLE = '55P03';

export interface OwnerOptions {
  /** Maximum time that a statement waits for a lock. */
  lockTimeoutSeconds: number;
}

/** Connections of the schema owner, the only role that may create and drop tables. */
export class OwnerConnections {
  private readonly clients: pg.Client[] = [];

  constructor(
    private readonly url: string,
    private readonly options: OwnerOptions,
  ) {}

  /** @throws {OperationError} when the database cannot be reached */
  async open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'fleet-operations',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // Without a listener a broken connection would end the process. The running statement reports the error.
    client.on('error', () => undefined);
    client.setTypeParser(pg.types.builtins.INT8, Number);
    await client.connect().catch((failure: Error) => {
      throw new OperationError(
        `the fleet database cannot be reached (${failure.message}); check OWNER_DATABASE_URL`,
      );
    });
    this.clients.push(client);
    await client.query("SET timezone = 'UTC'");
    await client.query(`SET lock_timeout = '${this.options.lockTimeoutSeconds}s'`);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
  }
}

/** Adapts an owner's connection to code that imports use too. */
export function asImporter(client: pg.Client): Pick<ImportConnection, 'query'> {
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>(text, values)).rows,
  };
}

/**
 * Runs an operation as the owner (OWNER_DATABASE_URL).
 *
 * @throws {OperationError} when a lock is not available in time
 */
export async function asOwner<Result>(
  options: OwnerOptions,
  work: (owner: OwnerConnections) => Promise<Result>,
): Promise<Result> {
  const { OWNER_DATABASE_URL: url } = readSettings(operationsSettings, process.env);
  const owner = new OwnerConnections(url, options);
  try {
    return await work(owner);
  } catch (failure) {
    if (failure instanceof pg.DatabaseError && failure.code === LOCK_NOT_AVAILABLE) {
      throw new OperationError(
        `another session held a lock for longer than ${options.lockTimeoutSeconds} s (${failure.message}); what was done ` +
          'until then is consistent: run the command again to continue',
      );
    }
    throw failure;
  } finally {
    await owner.close();
  }
}
