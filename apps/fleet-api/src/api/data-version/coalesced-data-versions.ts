import { setImmediate as nextEventLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { Database } from '@gpu-observatory/service-runtime/process';
import { customerIdsOf, type ScopeFilter } from '../access/access-scope.ts';
import {
  DATA_VERSION_ROW,
  type DataKind,
  type DataVersion,
  type DataVersionRow,
  toDataVersion,
} from './data-version.ts';

/** Upper bound for the wait for the previous batch: a connection that hangs must not block later lookups. */
const MAX_WAIT_MS = 50;

interface Batch {
  customerIds: Set<number>;
  rows: Promise<DataVersionRow[]>;
}

/**
 * Reads current data versions. Coalesces concurrent lookups, which every conditional request makes: while one query runs, new
 * lookups join the next batch. Each lookup is served from a snapshot taken after it arrived.
 */
@Injectable()
export class CoalescedDataVersions {
  /** The batch that new lookups join; undefined when none is waiting. */
  private next: Batch | undefined;
  /** Settles when the previous batch has been read. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(@Inject(Database) private readonly database: Pick<Database, 'query'>) {}

  /** Returns the version of the caller's data. @param kinds kinds of data that the response depends on */
  async readForCaller(
    access: Access,
    kinds: readonly DataKind[],
    filter: ScopeFilter = {},
  ): Promise<DataVersion> {
    return toDataVersion(await this.read(customerIdsOf(access, filter)), kinds);
  }

  /**
   * Returns the versions of these customers, sorted by id. Customers without imports are omitted.
   *
   * @throws {DependencyUnavailable} when the database does not respond in time
   */
  async read(customerIds: readonly number[]): Promise<DataVersionRow[]> {
    if (customerIds.length === 0) return [];
    const batch = (this.next ??= this.startBatch());
    for (const id of customerIds) batch.customerIds.add(id);
    const requested = new Set(customerIds);
    return (await batch.rows).filter(([customerId]) => requested.has(customerId));
  }

  private startBatch(): Batch {
    const customerIds = new Set<number>();
    const previous = Promise.race([this.last, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    const rows = previous.then(async () => {
      // Requests that have already arrived are parsed in this turn of the event loop; they join this batch.
      await nextEventLoopTurn();
      this.next = undefined;
      return this.query([...customerIds]);
    });
    this.last = rows.catch(() => undefined);
    return { customerIds, rows };
  }

  private async query(customerIds: number[]): Promise<DataVersionRow[]> {
    const rows = await this.database.query<{ row: DataVersionRow }>({
      name: 'data-versions',
      isQuickRead: true,
      text: `SELECT ${DATA_VERSION_ROW} AS row FROM fleet.data_versions p WHERE p.customer_id = ANY ($1::integer[]) ORDER BY p.customer_id`,
      values: [customerIds],
    });
    return rows.map(({ row }) => row);
  }
}
