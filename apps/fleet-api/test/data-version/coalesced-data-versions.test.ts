import { setTimeout as sleep } from 'node:timers/promises';
import { CoalescedDataVersions } from '../../src/api/data-version/coalesced-data-versions.ts';

/** A database whose responses the test releases: concurrent queries are not observable on a real one. */
class SlowDatabase {
  readonly queries: number[][] = [];
  private readonly waiting: ((fail?: Error) => void)[] = [];

  query = <Row extends object>({ values }: { values?: unknown[] }): Promise<Row[]> => {
    const [customerIds] = values as [number[]];
    this.queries.push([...customerIds].sort());
    const seq = this.queries.length;
    return new Promise((resolve, reject) =>
      this.waiting.push((fail) =>
        fail
          ? reject(fail)
          : resolve(customerIds.map((customer_id) => ({ row: [customer_id, seq] })) as object[] as Row[]),
      ),
    );
  };

  /** Waits for the next query and responds to it. */
  async respond(fail?: Error): Promise<void> {
    while (this.waiting.length === 0) await sleep(0);
    this.waiting.shift()!(fail);
  }

  async hasAsked(times: number): Promise<void> {
    while (this.queries.length < times) await sleep(0);
  }
}

it('coalesces lookups that arrive during a query and returns to each only its own customers', async () => {
  const database = new SlowDatabase();
  const versions = new CoalescedDataVersions(database);
  const first = versions.read([1]);
  await database.hasAsked(1);
  const joined = [versions.read([1, 2]), versions.read([3])];
  expect(database.queries).toEqual([[1]]);

  await database.respond();
  expect(await first).toEqual([[1, 1]]);
  await database.hasAsked(2);
  expect(database.queries).toEqual([[1], [1, 2, 3]]);

  await database.respond();
  expect(await Promise.all(joined)).toEqual([
    [
      [1, 2],
      [2, 2],
    ],
    [[3, 2]],
  ]);
});

it('coalesces lookups of one turn of the event loop', async () => {
  const database = new SlowDatabase();
  const versions = new CoalescedDataVersions(database);
  const reads = [versions.read([1])];
  await Promise.resolve();
  await new Promise((resolve) => process.nextTick(resolve));
  reads.push(versions.read([2]));
  await database.respond();
  await Promise.all(reads);
  expect(database.queries).toEqual([[1, 2]]);
});

it('never uses a snapshot from before the lookup', async () => {
  const database = new SlowDatabase();
  const versions = new CoalescedDataVersions(database);
  void versions.read([1]);
  await database.hasAsked(1);
  const later = versions.read([1]);
  await database.respond();
  await database.respond();
  expect(await later).toEqual([[1, 2]]);
});

it('waits only briefly for a query that hangs, and continues after one that fails', async () => {
  const database = new SlowDatabase();
  const versions = new CoalescedDataVersions(database);
  const hanging = versions.read([1]);
  const failure = expect(hanging).rejects.toThrow('away');
  await database.hasAsked(1);
  const next = versions.read([2]);
  await database.hasAsked(2);

  await database.respond(new Error('away'));
  await failure;
  await database.respond();
  expect(await next).toEqual([[2, 2]]);
  expect(await versions.read([])).toEqual([]);
});
