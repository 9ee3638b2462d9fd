import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';
import type { Logger } from '../logging/logger.ts';
import { AvailabilityProbe } from './availability-probe.ts';
import { toDatabaseFailure } from './database-error.ts';

/** A statement; with a name it is prepared once a connection and then only executed. */
export interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
  /** How long the caller waits; default 3 s. */
  timeoutMs?: number;
}

/** Something that runs statements: the database, or one transaction on it. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  namedStatements: boolean;
  applicationName: string;
  logger: Logger;
}

const DEFAULT_TIMEOUT_MS = 3_000;
const CONNECT_TIMEOUT_MS = 2_500;

/** `bigint` as a number: sequences and counts here stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/**
 * A pool of connections that never leaves a caller hanging: a statement fails after its timeout, and all in flight
 * fail as soon as the probe loses the database. A connection that failed this way is cut, never reused, so that no
 * answer can reach the wrong caller.
 *
 * @throws {DependencyUnavailable} from every method when the database is what failed
 */
export class Database implements Queryable {
  private readonly pool: pg.Pool;
  private readonly probe: AvailabilityProbe;
  private readonly inFlight = new Set<(reason: Error) => void>();

  constructor(private readonly options: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: options.applicationName,
      types,
    });
    this.pool.on('error', (error) =>
      options.logger.warn({ err: error }, 'an idle database connection broke'),
    );
    this.probe = new AvailabilityProbe(options.url);
    this.probe.on('lost', () => {
      options.logger.error({ inFlight: this.inFlight.size }, 'the database does not answer');
      for (const fail of this.inFlight) fail(new DependencyUnavailable('the database'));
    });
  }

  /** Begins to watch the database. It does not have to be there yet. */
  async start(): Promise<void> {
    await this.probe.start();
  }

  /** Null while the database answers, else what is wrong: a readiness check. */
  get availability(): string | null {
    return this.probe.available ? null : 'the database does not answer';
  }

  get connections(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.withConnection(statement.timeoutMs ?? DEFAULT_TIMEOUT_MS, (connection) =>
      this.run<Row>(connection, statement),
    );
  }

  /**
   * Runs `work` in one transaction and commits it, or rolls it back when it throws.
   *
   * @param timeoutMs how long the whole transaction may take; default 3 s
   */
  async transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    { timeoutMs = DEFAULT_TIMEOUT_MS, begin = 'BEGIN' }: { timeoutMs?: number; begin?: string } = {},
  ): Promise<Result> {
    return this.withConnection(timeoutMs, async (connection) => {
      await connection.query(begin);
      try {
        const result = await work({ query: (statement) => this.run(connection, statement) });
        await connection.query('COMMIT');
        return result;
      } catch (failure) {
        await connection.query('ROLLBACK');
        throw failure;
      }
    });
  }

  async stop(): Promise<void> {
    await this.probe.stop();
    await this.pool.end();
  }

  private async run<Row extends object>(connection: pg.PoolClient, statement: Statement): Promise<Row[]> {
    const { name, text, values = [] } = statement;
    const query =
      name !== undefined && this.options.namedStatements ? { name, text, values } : { text, values };
    return (await connection.query<Row>(query)).rows;
  }

  private async withConnection<Result>(
    timeoutMs: number,
    work: (connection: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    let connection: pg.PoolClient | undefined;
    let timer: NodeJS.Timeout | undefined;
    let fail: (reason: Error) => void = () => undefined;
    const gaveUp = new Promise<never>((_resolve, reject) => {
      fail = reject;
      timer = setTimeout(() => reject(new DependencyUnavailable('the database')), timeoutMs);
    });
    this.inFlight.add(fail);
    const connecting = this.pool.connect();
    try {
      connection = await Promise.race([connecting, gaveUp]);
      const result = await Promise.race([work(connection), gaveUp]);
      connection.release();
      return result;
    } catch (failure) {
      const known = toDatabaseFailure(failure);
      // A statement the server refused leaves its connection in order; anything else may leave it mid-answer.
      const inOrder = failure instanceof pg.DatabaseError && known === failure;
      const ownThrow = !(failure instanceof pg.DatabaseError) && !(known instanceof DependencyUnavailable);
      if (connection) connection.release(!(inOrder || ownThrow));
      else
        connecting.then(
          (late) => late.release(),
          () => undefined,
        );
      throw known;
    } finally {
      clearTimeout(timer);
      this.inFlight.delete(fail);
    }
  }
}
