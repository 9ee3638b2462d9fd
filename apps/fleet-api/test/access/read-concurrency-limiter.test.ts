import { jest } from '@jest/globals';
import { type CostClass, ReadConcurrencyLimiter } from '../../src/api/access/read-concurrency-limiter.ts';

afterEach(() => jest.useRealTimers());

const LIMITS = { reads: 3, slowReads: 1, allSlowReads: 2 };

/** Starts reads that run until the test ends them. */
function reads(limiter: ReadConcurrencyLimiter) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    read: (name: string, customerIds: number[], costClass: CostClass = 'fast') =>
      limiter.run(customerIds, costClass, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('runs the configured number of reads per customer and queues others in order of arrival', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => read(name, [1]));
  expect(started).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'c', 'd']) await end(name);
  await end('e');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('does not delay other customers, nor fast reads behind slow ones of the same customer', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = [
    read('slow 1', [1], 'slow'),
    read('slow 2', [1], 'slow'),
    read('fast 1', [1]),
    read('foreign', [2], 'slow'),
  ];
  expect(started).toEqual(['slow 1', 'fast 1', 'foreign']);
  await end('slow 1');
  expect(started.at(-1)).toBe('slow 2');
  for (const name of ['slow 2', 'fast 1', 'foreign']) await end(name);
  await Promise.all(all);
});

it('leaves connections for fast reads while many customers run slow ones', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = [1, 2, 3].map((customer) => read(`slow ${customer}`, [customer], 'slow'));
  expect(started).toEqual(['slow 1', 'slow 2']);
  await end('slow 1');
  expect(started).toEqual(['slow 1', 'slow 2', 'slow 3']);
  for (const name of ['slow 2', 'slow 3']) await end(name);
  await Promise.all(all);
});

it('counts a read over several customers for each of them, and for none while it is queued', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }));
  const all = [read('first', [1]), read('both', [1, 2]), read('second', [2])];
  expect(started).toEqual(['first', 'second']);
  await end('first');
  expect(started).toEqual(['first', 'second']);
  await end('second');
  expect(started).toEqual(['first', 'second', 'both']);
  await end('both');
  await Promise.all(all);
});

it.each([
  ['fast', 1_000],
  ['slow', 5_000],
] as const)(
  'rejects a queued %s read after %i ms, reports it, and removes it from the queue',
  async (costClass, waitMs) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const rejected: CostClass[] = [];
    const { started, read, end } = reads(
      new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, (rejectedClass) => rejected.push(rejectedClass)),
    );
    const first = read('first', [1], costClass);
    const second = read('second', [1], costClass);
    const rejection = expect(second).rejects.toMatchObject({
      kind: { code: 'too_many_requests', status: 429 },
      headers: { 'retry-after': '1' },
    });
    await jest.advanceTimersByTimeAsync(waitMs - 1);
    expect(rejected).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await rejection;
    expect(rejected).toEqual([costClass]);
    await end('first');
    await first;
    expect(started).toEqual(['first']);
  },
);

it('releases its slot when the read fails', async () => {
  const limiter = new ReadConcurrencyLimiter({ reads: 1, slowReads: 1, allSlowReads: 1 });
  for (let n = 0; n < 3; n++) {
    await expect(limiter.run([1], 'slow', () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
  }
});
