import { setImmediate as afterThisTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@gpu-observatory/service-runtime';
import type { PositionRow } from './data-version.ts';

/** A round does not wait longer for the one before it: a connection that hangs must not hold up those after it. */
const PATIENCE_MS = 50;

interface Round {
  customerIds: Set<number>;
  rows: Promise<PositionRow[]>;
}

/**
 * How far the imports of customers have come, for polls, which ask for nothing else and come in crowds. While one
 * question is on its way to the database, those that come meanwhile are put together into the next one: each is
 * answered from a snapshot taken after it came, and the database is asked once for all of them.
 */
export class SharedPositions {
  private next: Round | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /**
   * @param customerIds of one caller, who is told of these alone
   * @throws {DependencyUnavailable} when the database does not answer in time
   */
  async read(customerIds: readonly number[]): Promise<PositionRow[]> {
    if (customerIds.length === 0) return [];
    const round = (this.next ??= this.begin());
    for (const id of customerIds) round.customerIds.add(id);
    const asked = new Set(customerIds);
    return (await round.rows).filter(([customerId]) => asked.has(customerId));
  }

  private begin(): Round {
    const customerIds = new Set<number>();
    const before = Promise.race([this.last, sleep(PATIENCE_MS, undefined, { ref: false })]);
    const rows = before.then(async () => {
      // What has come in by now is read one after the other: all of it is one round.
      await afterThisTurn();
      this.next = undefined;
      return this.ask([...customerIds]);
    });
    this.last = rows.catch(() => undefined);
    return { customerIds, rows };
  }

  private async ask(customerIds: number[]): Promise<PositionRow[]> {
    const rows = await this.database.query<{ customer_id: number; seq: number; imported_at_ms: number }>({
      name: 'positions',
      text: `SELECT p.customer_id, p.seq, (extract(epoch FROM p.imported_at) * 1000)::bigint AS imported_at_ms
        FROM fleet.data_versions p WHERE p.customer_id = ANY ($1::integer[]) ORDER BY p.customer_id`,
      values: [customerIds],
    });
    return rows.map(({ customer_id, seq, imported_at_ms }) => [customer_id, seq, imported_at_ms]);
  }
}
