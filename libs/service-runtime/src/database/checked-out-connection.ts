import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Connection } from './connection.ts';
import { isConnectionReusable, toDatabaseError } from './database-error.ts';
import type { Statement } from './statement.ts';

/** Short, because the server rolls back by itself when the connection is closed. */
const ROLLBACK_TIMEOUT_MS = 200;

/**
 * A pool connection while one caller uses it. It returns to the pool only if every statement has completed and no
 * transaction is open. Otherwise it is closed, because a late result could reach the next caller.
 */
export class CheckedOutConnection {
  private pendingStatements = 0;
  private broken = false;

  constructor(
    private readonly client: Connection & Pick<pg.PoolClient, 'release'>,
    private readonly namedStatements: boolean,
  ) {}

  /** @throws {DependencyUnavailable} when the database is unavailable; any other driver error as is */
  async run<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    this.pendingStatements += 1;
    try {
      return await this.client.run<Row>(this.namedStatements ? statement : { ...statement, name: undefined });
    } catch (error) {
      if (!isConnectionReusable(error)) this.broken = true;
      throw toDatabaseError(error);
    } finally {
      this.pendingStatements -= 1;
    }
  }

  /** @throws {Error} when the server rolled back because a statement of the transaction had failed */
  async commit(): Promise<void> {
    const { command } = await this.run({ text: 'COMMIT' });
    if (command !== 'COMMIT') {
      throw new Error('The transaction was rolled back: a statement failed and its error was ignored.');
    }
  }

  /** Returns the connection to the pool if it is reusable, or closes it. Never throws. */
  async release(): Promise<void> {
    if (this.isIdle && this.isInTransaction) await this.rollBack();
    this.client.release(!this.isIdle || this.isInTransaction);
  }

  private get isIdle(): boolean {
    return this.pendingStatements === 0 && !this.broken;
  }

  /** The transaction status that the server last reported. */
  private get isInTransaction(): boolean {
    return this.client.getTransactionStatus() !== 'I';
  }

  private async rollBack(): Promise<void> {
    const rolledBack = this.run({ text: 'ROLLBACK' }).catch(() => undefined);
    await Promise.race([rolledBack, sleep(ROLLBACK_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
