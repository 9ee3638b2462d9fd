import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DependencyUnavailable } from '../errors/domain-error.ts';
import type { Logger } from '../logging/logger.ts';
import { AvailabilityProbe } from './availability-probe.ts';
import { columnTypes } from './column-types.ts';
import { Connection } from './connection.ts';
import { isStaleStatement, StatementTimeout, toDatabaseError } from './database-error.ts';
import { CheckedOutConnection } from './checked-out-connection.ts';
import { NotShared, SharedConnections } from './shared-connections.ts';
import type { Queryable, Statement } from './statement.ts';
import { READ_ONLY, WriteFailures } from './write-failures.ts';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  namedStatements: boolean;
  applicationName: string;
  logger: Logger;
  /** Connections of the pool size that quick reads share; none by default. */
  sharedConnections?: number;
}

/** Default time limit of a statement: during an outage, responses are sent within 3 s (docs/services.md#outages). */
export const DEFAULT_TIMEOUT_MS = 2_800;
const CONNECT_TIMEOUT_MS = 2_500;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * A connection pool whose statements always complete: one fails after its timeout, all in flight fail when the probe
 * detects an outage, and none starts during an outage. A connection with such a failure is closed, because a late result
 * could reach the wrong caller.
 *
 * @throws {DependencyUnavailable} from every method when the database is unavailable
 */
export class Database implements Queryable {
  private pool: pg.Pool;
  private readonly probe: AvailabilityProbe;
  private stopping: Promise<void> | undefined;
  private readonly writeFailures = new WriteFailures();
  private readonly inFlight = new Set<(reason: Error) => void>();
  private readonly shared: SharedConnections | undefined;

  constructor(private readonly options: DatabaseOptions) {
    const { sharedConnections = 0, namedStatements, poolSize } = options;
    if (sharedConnections > 0 && sharedConnections < poolSize && namedStatements) {
      this.shared = new SharedConnections(
        sharedConnections,
        () => new Connection(this.clientOptions({ pipeline: true })),
      );
    }
    this.pool = this.createPool();
    this.probe = new AvailabilityProbe(options.url);
    this.probe.on('lost', () => this.replacePool());
  }

  /** Starts the probe. The database may be unavailable at this time. */
  async start(): Promise<void> {
    await this.probe.start();
  }

  /** Null while the database is available: a readiness check. */
  get unavailableReason(): string | null {
    return this.probe.isAvailable ? null : 'the database is unavailable';
  }

  /** Reason why writes fail; null unless they are known to fail. */
  get notWritableReason(): string | null {
    if (this.unavailableReason !== null) return this.unavailableReason;
    return this.probe.isReadOnly ? READ_ONLY : this.writeFailures.reason;
  }

  get connections(): { total: number; idle: number; waiting: number } {
    return {
      total: this.pool.totalCount + (this.shared?.total ?? 0),
      idle: this.pool.idleCount,
      waiting: this.pool.waitingCount,
    };
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.shared !== undefined && statement.isQuickRead && !this.probe.isUnavailable) {
      try {
        return await this.shared.query<Row>(statement);
      } catch (error) {
        if (!(error instanceof NotShared)) throw toDatabaseError(error);
      }
    }
    try {
      return await this.run<Row>(statement);
    } catch (error) {
      // A migration made the prepared statement invalid, and the server has not run it.
      if (statement.name === undefined || !isStaleStatement(error)) throw error;
      return this.run<Row>({ ...statement, name: undefined });
    }
  }

  private run<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.withConnection(
      statement.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      async (connection) => (await connection.run<Row>(statement)).rows,
    );
  }

  /**
   * Runs `work` in one transaction. Rolls back when `work` throws, and rethrows its error. The transaction object is
   * invalid after `work` has completed.
   *
   * @param timeoutMs time limit of the whole transaction; 2,800 by default
   */
  async transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    { timeoutMs = DEFAULT_TIMEOUT_MS, begin = 'BEGIN' }: { timeoutMs?: number; begin?: string } = {},
  ): Promise<Result> {
    return this.withConnection(timeoutMs, async (connection) => {
      let isFinished = false;
      const transaction: Queryable = {
        query: async <Row extends object>(statement: Statement) => {
          if (isFinished) throw new Error('The transaction has ended: await each statement inside of it.');
          return (await connection.run<Row>(statement)).rows;
        },
      };
      await connection.run({ text: begin });
      try {
        const result = await work(transaction);
        isFinished = true;
        await connection.commit();
        return result;
      } finally {
        isFinished = true;
      }
    });
  }

  /** Closes every connection. Waits for statements in flight, at most 1 s. */
  stop(): Promise<void> {
    return (this.stopping ??= this.close());
  }

  private async close(): Promise<void> {
    this.probe.stop();
    this.shared?.closeAll(new DependencyUnavailable('the database'));
    await Promise.race([this.pool.end(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private clientOptions(options: object): pg.ClientConfig {
    const { url, applicationName } = this.options;
    return {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: applicationName,
      types: columnTypes,
      ...options,
    };
  }

  private createPool(): pg.Pool {
    const { poolSize, logger, sharedConnections = 0 } = this.options;
    const max = this.shared === undefined ? poolSize : poolSize - sharedConnections;
    const pool = new pg.Pool(this.clientOptions({ Client: Connection, max, idleTimeoutMillis: 60_000 }));
    pool.on('error', (error: Error & { client?: unknown }) => {
      // pg adds the client, with the text of every prepared statement and the key that cancels its queries.
      delete error.client;
      logger.warn({ err: error }, 'lost an idle database connection');
    });
    // The pool handles errors of idle connections only; an unhandled error of another one would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }

  /** Fails all statements in flight and replaces the pool, since its connections may be half-open. */
  private replacePool(): void {
    this.options.logger.error({ inFlight: this.inFlight.size }, 'the database is unavailable');
    for (const fail of this.inFlight) fail(new DependencyUnavailable('the database'));
    this.shared?.closeAll(new DependencyUnavailable('the database'));
    const oldPool = this.pool;
    this.pool = this.createPool();
    oldPool
      .end()
      .catch((error: unknown) => this.options.logger.warn({ err: error }, 'failed to close the old pool'));
  }

  private async withConnection<Result>(
    timeoutMs: number,
    work: (connection: CheckedOutConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.probe.isUnavailable) throw new DependencyUnavailable('the database');
    let fail: (reason: Error) => void = () => undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const timer = setTimeout(() => fail(new StatementTimeout()), timeoutMs);
    this.inFlight.add(fail);
    let connection: CheckedOutConnection | undefined;
    try {
      connection = await this.connect(aborted);
      return await Promise.race([work(connection), aborted]);
    } catch (error) {
      this.writeFailures.record(error);
      throw error;
    } finally {
      clearTimeout(timer);
      this.inFlight.delete(fail);
      await connection?.release();
    }
  }

  /** @throws {DependencyUnavailable} for every failure to connect */
  private async connect(aborted: Promise<never>): Promise<CheckedOutConnection> {
    const connecting = this.pool.connect();
    try {
      const client = await Promise.race([connecting, aborted]);
      return new CheckedOutConnection(client as pg.PoolClient & Connection, this.options.namedStatements);
    } catch (error) {
      // Returns a connection that is established after the caller gave up.
      connecting.then(
        (late) => late.release(),
        () => undefined,
      );
      throw error instanceof DependencyUnavailable ? error : new DependencyUnavailable('the database', error);
    }
  }
}
