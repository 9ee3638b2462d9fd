import { Socket } from 'node:net';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';
import type { Logger } from '../logging/logger.ts';
import { AvailabilityProbe } from './availability-probe.ts';
import { columnTypes } from './column-types.ts';
import { CheckedOutConnection } from './checked-out-connection.ts';
import { messageSocket } from './message-socket.ts';
import type { Queryable, Statement } from './statement.ts';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  namedStatements: boolean;
  applicationName: string;
  logger: Logger;
}

/** The service's own answer must leave within 3 s (decisions, section 1, Database away). */
const DEFAULT_TIMEOUT_MS = 2_800;
const CONNECT_TIMEOUT_MS = 2_500;
const CLOSE_WITHIN_MS = 1_000;

/**
 * A pool of connections that never leaves a caller hanging: a statement fails after its timeout, all in flight fail as
 * soon as the probe loses the database, and none is tried while it is away. A connection that failed this way is cut,
 * never reused, so that no answer can reach the wrong caller.
 *
 * @throws {DependencyUnavailable} from every method when the database is what failed
 */
export class Database implements Queryable {
  private pool: pg.Pool;
  private readonly probe: AvailabilityProbe;
  private stopping: Promise<void> | undefined;
  private readonly inFlight = new Set<(reason: Error) => void>();

  constructor(private readonly options: DatabaseOptions) {
    this.pool = this.createPool();
    this.probe = new AvailabilityProbe(options.url);
    this.probe.on('lost', () => this.replacePool());
  }

  /** Begins to watch the database. It does not have to be there yet. */
  async start(): Promise<void> {
    await this.probe.start();
  }

  /** Null while the database answers, else what is wrong: a readiness check. */
  get unavailableReason(): string | null {
    return this.probe.isAvailable ? null : 'the database does not answer';
  }

  get connections(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.withConnection(statement.timeoutMs ?? DEFAULT_TIMEOUT_MS, async (connection) => {
      return (await connection.run<Row>(statement)).rows;
    });
  }

  /**
   * Runs `work` in one transaction and commits it, or rolls it back when it throws; what it threw is what the caller
   * gets. The transaction that `work` is given is of no use after it.
   *
   * @param timeoutMs how long the whole transaction may take; just below 3 s unless given
   */
  async transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    { timeoutMs = DEFAULT_TIMEOUT_MS, begin = 'BEGIN' }: { timeoutMs?: number; begin?: string } = {},
  ): Promise<Result> {
    return this.withConnection(timeoutMs, async (connection) => {
      let over = false;
      const transaction: Queryable = {
        query: async <Row extends object>(statement: Statement) => {
          if (over) throw new Error('the transaction is over: wait for each of its statements within it');
          return (await connection.run<Row>(statement)).rows;
        },
      };
      await connection.run({ text: begin });
      try {
        const result = await work(transaction);
        over = true;
        await connection.commit();
        return result;
      } finally {
        over = true;
      }
    });
  }

  /** Closes every connection; waits for statements in flight, but not long. */
  stop(): Promise<void> {
    return (this.stopping ??= this.close());
  }

  private async close(): Promise<void> {
    this.probe.stop();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    });
    await Promise.race([this.pool.end(), late]);
    clearTimeout(timer);
  }

  private createPool(): pg.Pool {
    const { url, poolSize, applicationName, logger } = this.options;
    const pool = new pg.Pool({
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: applicationName,
      types: columnTypes,
      stream: socketFor as pg.ClientConfig['stream'] & object,
    });
    pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
    // The pool listens to idle connections only; an error nobody listens to would end the process.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  }

  /** The database went away: whoever waits is told, and no connection from before is used again, since it may be half-open. */
  private replacePool(): void {
    this.options.logger.error({ inFlight: this.inFlight.size }, 'the database does not answer');
    for (const fail of this.inFlight) fail(new DependencyUnavailable('the database'));
    const former = this.pool;
    this.pool = this.createPool();
    former
      .end()
      .catch((failure: unknown) => this.options.logger.warn({ err: failure }, 'a pool did not close'));
  }

  private async withConnection<Result>(
    timeoutMs: number,
    work: (connection: CheckedOutConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.probe.isUnavailable) throw new DependencyUnavailable('the database');
    let fail: (reason: Error) => void = () => undefined;
    const gaveUp = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const timer = setTimeout(() => fail(new DependencyUnavailable('the database')), timeoutMs);
    this.inFlight.add(fail);
    let connection: CheckedOutConnection | undefined;
    try {
      connection = await this.connect(gaveUp);
      return await Promise.race([work(connection), gaveUp]);
    } finally {
      clearTimeout(timer);
      this.inFlight.delete(fail);
      await connection?.release();
    }
  }

  /** @throws {DependencyUnavailable} whatever the reason: without a connection there is no database */
  private async connect(gaveUp: Promise<never>): Promise<CheckedOutConnection> {
    const connecting = this.pool.connect();
    try {
      const client = await Promise.race([connecting, gaveUp]);
      return new CheckedOutConnection(client, this.options.namedStatements);
    } catch (failure) {
      // One that comes when nobody waits any more goes back unused.
      connecting.then(
        (late) => late.release(),
        () => undefined,
      );
      throw failure instanceof DependencyUnavailable
        ? failure
        : new DependencyUnavailable('the database', failure);
    }
  }
}

/** What pg asks for a connection, with its settings: an encrypted one goes through a socket of its own. */
const socketFor = ({ ssl }: { ssl: unknown }) => (ssl ? new Socket() : messageSocket());
