import pg from 'pg';
import { operationsSettings } from '../config/service.config.ts';
import { readSettings } from '../config/settings.ts';
import { toDatabaseError } from '../database/database-error.ts';
import { openSession } from '../database/session.ts';
import type { Queryable, Statement } from '../database/statement.ts';
import { OperationError } from './operation-error.ts';

const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

interface OwnerOptions {
  schema: string;
  /** Maximum time that a statement waits for a lock. */
  lockTimeoutSeconds: number;
  /** Maximum time of a statement with its wait for a lock; unlimited by default. */
  statementTimeoutSeconds?: number;
  /** Variable that contains the URL, for the error message. OWNER_DATABASE_URL by default. */
  variable?: string;
}

/**
 * Connections of a command, usually of the schema owner, the only role that may create and drop tables and change tenants. `query` and
 * `transaction` share the first one.
 */
export class OwnerDatabase implements Queryable {
  private readonly sessions: pg.Client[] = [];

  constructor(
    private readonly url: string,
    private readonly options: OwnerOptions,
  ) {}

  /** @throws {OperationError} when the database cannot be reached */
  async open(): Promise<pg.Client> {
    const {
      schema,
      lockTimeoutSeconds,
      statementTimeoutSeconds,
      variable = 'OWNER_DATABASE_URL',
    } = this.options;
    const session = await openSession({
      url: this.url,
      schema,
      variable,
      applicationName: `${schema}-operations`,
    });
    this.sessions.push(session);
    await session.query(`SET lock_timeout = '${lockTimeoutSeconds}s'`);
    if (statementTimeoutSeconds !== undefined)
      await session.query(`SET statement_timeout = '${statementTimeoutSeconds}s'`);
    return session;
  }

  async query<Row extends object>({ text, values = [] }: Statement): Promise<Row[]> {
    const session = this.sessions[0] ?? (await this.open());
    try {
      return (await session.query<Row>(text, values)).rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  /** Runs `work` in one transaction. Rolls back when `work` throws, and rethrows its error. */
  async transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    await this.query({ text: 'BEGIN' });
    try {
      const result = await work(this);
      await this.query({ text: 'COMMIT' });
      return result;
    } catch (error) {
      await this.query({ text: 'ROLLBACK' }).catch(() => undefined); // the first error is the one to report
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.sessions.map((session) => session.end()));
  }
}

/**
 * Runs an operation as the schema owner (OWNER_DATABASE_URL).
 *
 * @throws {OperationError} when a lock is not available in time, or a statement takes too long
 */
export async function withOwnerDatabase<Result>(
  options: OwnerOptions,
  work: (owner: OwnerDatabase) => Promise<Result>,
): Promise<Result> {
  const { OWNER_DATABASE_URL: url } = readSettings(operationsSettings, process.env);
  return withOperationsDatabase({ ...options, url }, work);
}

/**
 * Runs an operation as the role of a URL.
 *
 * @throws {OperationError} when a lock is not available in time, or a statement takes too long
 */
export async function withOperationsDatabase<Result>(
  { url, ...options }: OwnerOptions & { url: string },
  work: (database: OwnerDatabase) => Promise<Result>,
): Promise<Result> {
  const owner = new OwnerDatabase(url, options);
  try {
    return await work(owner);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
      throw new OperationError(
        `another session held a lock for longer than ${options.lockTimeoutSeconds} s (${error.message}); completed ` +
          'transactions are consistent: run the command again to continue',
      );
    }
    const { cause } = error as Error;
    if (cause instanceof pg.DatabaseError && cause.code === QUERY_CANCELED) {
      throw new OperationError(
        `the database canceled a statement (${cause.message}); completed transactions are consistent: run the command ` +
          'again to continue',
      );
    }
    throw error;
  } finally {
    await owner.close();
  }
}
