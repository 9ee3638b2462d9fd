import { jest } from '@jest/globals';
import { type CostClass, ReadConcurrencyLimiter } from '../../src/api/access/read-concurrency-limiter.ts';

afterEach(() => jest.useRealTimers());

const LIMITS = { reads: 3, slowReads: 1, allSlowReads: 2 };

/** Reads that run until they are let go. */
function reads(turns: ReadConcurrencyLimiter) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    read: (name: string, customerIds: number[], pace: CostClass = 'fast') =>
      turns.run(customerIds, pace, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('runs so many reads of a customer at once, and the others in their order', async () => {
  const { begun, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => read(name, [1]));
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'c', 'd']) await end(name);
  await end('e');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('lets another customer by, and a customer’s own quick reads by its slow ones', async () => {
  const { begun, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = [
    read('slow 1', [1], 'slow'),
    read('slow 2', [1], 'slow'),
    read('quick 1', [1]),
    read('foreign', [2], 'slow'),
  ];
  expect(begun).toEqual(['slow 1', 'quick 1', 'foreign']);
  await end('slow 1');
  expect(begun.at(-1)).toBe('slow 2');
  for (const name of ['slow 2', 'quick 1', 'foreign']) await end(name);
  await Promise.all(all);
});

it('leaves connections to quick reads, however many customers scan', async () => {
  const { begun, read, end } = reads(new ReadConcurrencyLimiter(LIMITS));
  const all = [1, 2, 3].map((customer) => read(`slow ${customer}`, [customer], 'slow'));
  expect(begun).toEqual(['slow 1', 'slow 2']);
  await end('slow 1');
  expect(begun).toEqual(['slow 1', 'slow 2', 'slow 3']);
  for (const name of ['slow 2', 'slow 3']) await end(name);
  await Promise.all(all);
});

it('counts a read over several customers as one of each, and holds nothing while it waits', async () => {
  const { begun, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }));
  const all = [read('first', [1]), read('both', [1, 2]), read('second', [2])];
  expect(begun).toEqual(['first', 'second']);
  await end('first');
  expect(begun).toEqual(['first', 'second']);
  await end('second');
  expect(begun).toEqual(['first', 'second', 'both']);
  await end('both');
  await Promise.all(all);
});

it.each([
  ['fast', 1_000],
  ['slow', 5_000],
] as const)(
  'refuses what would wait too long, if it is %s after %i ms, tells who counts, and forgets it',
  async (pace, waitMs) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const refused: CostClass[] = [];
    const { begun, read, end } = reads(
      new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, (of) => refused.push(of)),
    );
    const first = read('first', [1], pace);
    const second = read('second', [1], pace);
    const refusal = expect(second).rejects.toMatchObject({
      kind: { code: 'too_many_requests', status: 429 },
      headers: { 'retry-after': '1' },
    });
    await jest.advanceTimersByTimeAsync(waitMs - 1);
    expect(refused).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await refusal;
    expect(refused).toEqual([pace]);
    await end('first');
    await first;
    expect(begun).toEqual(['first']);
  },
);

it('gives a turn back when the read fails', async () => {
  const turns = new ReadConcurrencyLimiter({ reads: 1, slowReads: 1, allSlowReads: 1 });
  for (let n = 0; n < 3; n++) {
    await expect(turns.run([1], 'slow', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  }
});
