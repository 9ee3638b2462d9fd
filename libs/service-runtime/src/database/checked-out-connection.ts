import type pg from 'pg';
import { isConnectionReusable, toDatabaseError } from './database-error.ts';
import type { Statement } from './statement.ts';

/** Short: a server that does not even roll back in this time is not worth waiting for. */
const ROLLBACK_WITHIN_MS = 200;

/**
 * A connection of the pool while one caller has it. It knows whether every statement was answered and no transaction
 * is open: only then may the next caller have it, otherwise an answer could reach the wrong one.
 */
export class CheckedOutConnection {
  private unanswered = 0;
  private broken = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly namedStatements: boolean,
  ) {}

  /** @throws {DependencyUnavailable} when the database is what failed, else what the driver said */
  async run<Row extends object>(statement: Statement): Promise<pg.QueryResult<Row>> {
    const { name, text, values = [] } = statement;
    const named = name !== undefined && this.namedStatements;
    this.unanswered += 1;
    try {
      return await this.client.query<Row>(named ? { name, text, values } : { text, values });
    } catch (failure) {
      if (!isConnectionReusable(failure)) this.broken = true;
      throw toDatabaseError(failure);
    } finally {
      this.unanswered -= 1;
    }
  }

  /** @throws {Error} when a statement of the transaction had failed, so that the server rolled back instead */
  async commit(): Promise<void> {
    const { command } = await this.run({ text: 'COMMIT' });
    if (command !== 'COMMIT') {
      throw new Error('nothing was committed: a statement of the transaction had failed and was overlooked');
    }
  }

  /** Gives the connection back: to the pool when it is in order, else to nobody. Never fails. */
  async release(): Promise<void> {
    if (this.isAnswered && this.isInTransaction) await this.rollBack();
    this.client.release(!this.isAnswered || this.isInTransaction);
  }

  private get isAnswered(): boolean {
    return this.unanswered === 0 && !this.broken;
  }

  /** As the server last said it. */
  private get isInTransaction(): boolean {
    return this.client.getTransactionStatus() !== 'I';
  }

  /** Waits for the answer, but not long: a connection that is cut is rolled back by the server itself. */
  private async rollBack(): Promise<void> {
    const rolledBack = this.run({ text: 'ROLLBACK' }).catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ROLLBACK_WITHIN_MS);
    });
    await Promise.race([rolledBack, late]);
    clearTimeout(timer);
  }
}
