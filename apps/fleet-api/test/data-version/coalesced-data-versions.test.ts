import { setTimeout as sleep } from 'node:timers/promises';
import { CoalescedDataVersions } from '../../src/api/data-version/coalesced-data-versions.ts';

/** A database whose answers come when they are let: what is asked at once cannot be seen on a real one. */
class SlowDatabase {
  readonly asked: number[][] = [];
  private readonly waiting: ((fail?: Error) => void)[] = [];

  query = <Row extends object>({ values }: { values?: unknown[] }): Promise<Row[]> => {
    const [customerIds] = values as [number[]];
    this.asked.push([...customerIds].sort());
    const seq = this.asked.length;
    return new Promise((resolve, reject) =>
      this.waiting.push((fail) =>
        fail
          ? reject(fail)
          : resolve(customerIds.map((customer_id) => ({ customer_id, seq, imported_at_ms: 0 })) as Row[]),
      ),
    );
  };

  /** Answers the question that came first, once it has come. */
  async answer(fail?: Error): Promise<void> {
    while (this.waiting.length === 0) await sleep(0);
    this.waiting.shift()!(fail);
  }

  async hasAsked(times: number): Promise<void> {
    while (this.asked.length < times) await sleep(0);
  }
}

it('asks once for all that came while it asked, and tells each of its own customers alone', async () => {
  const database = new SlowDatabase();
  const positions = new CoalescedDataVersions(database);
  const first = positions.read([1]);
  await database.hasAsked(1);
  const others = [positions.read([1, 2]), positions.read([3])];
  expect(database.asked).toEqual([[1]]);

  await database.answer();
  expect(await first).toEqual([[1, 1, 0]]);
  await database.hasAsked(2);
  expect(database.asked).toEqual([[1], [1, 2, 3]]);

  await database.answer();
  expect(await Promise.all(others)).toEqual([
    [
      [1, 2, 0],
      [2, 2, 0],
    ],
    [[3, 2, 0]],
  ]);
});

it('asks once for all that come in one turn', async () => {
  const database = new SlowDatabase();
  const positions = new CoalescedDataVersions(database);
  const reads = [positions.read([1])];
  await Promise.resolve();
  await new Promise((resolve) => process.nextTick(resolve));
  reads.push(positions.read([2]));
  await database.answer();
  await Promise.all(reads);
  expect(database.asked).toEqual([[1, 2]]);
});

it('answers nobody from a snapshot that is older than the question', async () => {
  const database = new SlowDatabase();
  const positions = new CoalescedDataVersions(database);
  void positions.read([1]);
  await database.hasAsked(1);
  const later = positions.read([1]);
  await database.answer();
  await database.answer();
  expect(await later).toEqual([[1, 2, 0]]);
});

it('waits for a question that hangs no longer than a moment, and outlives one that fails', async () => {
  const database = new SlowDatabase();
  const positions = new CoalescedDataVersions(database);
  const hanging = positions.read([1]);
  const failure = expect(hanging).rejects.toThrow('away');
  await database.hasAsked(1);
  const next = positions.read([2]);
  await database.hasAsked(2);

  await database.answer(new Error('away'));
  await failure;
  await database.answer();
  expect(await next).toEqual([[2, 2, 0]]);
  expect(await positions.read([])).toEqual([]);
});
