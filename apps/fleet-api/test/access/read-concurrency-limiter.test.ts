import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { WriteBuffer } from '@gpu-observatory/service-runtime';
import type { CostClass } from '../../src/api/access/cost-class.ts';
import { type ReadCost, ReadConcurrencyLimiter } from '../../src/api/access/read-concurrency-limiter.ts';

afterEach(() => jest.useRealTimers());

const LIMITS = { reads: 3, rows: 10_000, bytes: 128_000_000, slowReads: 1, allSlowReads: 2 };
const writeBuffer = () => new WriteBuffer({ total: 128_000_000, perOwner: 64_000_000 });

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Starts reads that run until the test ends them. */
function reads(limiter: ReadConcurrencyLimiter) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    read: (name: string, customerIds: number[], cost: ReadCost = {}) =>
      limiter.run(customerIds, cost, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      // The end of a large page counts one turn of the event loop later.
      await nextTurn();
      await nextTurn();
    },
  };
}

it('runs the configured number of reads per customer and queues others in order of arrival', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => read(name, [1]));
  expect(started).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'c', 'd']) await end(name);
  await end('e');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('does not delay other customers, nor fast reads behind slow ones of the same customer', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
  const all = [
    read('slow 1', [1], { slow: true }),
    read('slow 2', [1], { slow: true }),
    read('fast 1', [1]),
    read('foreign', [2], { slow: true }),
  ];
  expect(started).toEqual(['slow 1', 'fast 1', 'foreign']);
  await end('slow 1');
  expect(started.at(-1)).toBe('slow 2');
  for (const name of ['slow 2', 'fast 1', 'foreign']) await end(name);
  await Promise.all(all);
});

it('leaves connections for fast reads while many customers run slow ones', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
  const all = [1, 2, 3].map((customer) => read(`slow ${customer}`, [customer], { slow: true }));
  expect(started).toEqual(['slow 1', 'slow 2']);
  await end('slow 1');
  expect(started).toEqual(['slow 1', 'slow 2', 'slow 3']);
  for (const name of ['slow 2', 'slow 3']) await end(name);
  await Promise.all(all);
});

it('counts a read over several customers for each of them', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, writeBuffer()));
  const all = [read('both', [1, 2]), read('first', [1]), read('second', [2]), read('third', [3])];
  expect(started).toEqual(['both', 'third']);
  await end('both');
  expect(started).toEqual(['both', 'third', 'first', 'second']);
  for (const name of ['third', 'first', 'second']) await end(name);
  await Promise.all(all);
});

describe('a read that waits', () => {
  it('of two busy customers starts before later reads of each', async () => {
    const limiter = new ReadConcurrencyLimiter({ ...LIMITS, reads: 2 }, writeBuffer());
    let busy = true;
    let ran = 0;
    const keepBusy = async (customer: number) => {
      while (busy) {
        await limiter.run([customer], {}, nextTurn);
        ran += 1;
      }
    };
    const clients = [1, 1, 1, 2, 2, 2].map(keepBusy);
    for (let n = 0; n < 5; n++) {
      const before = ran;
      await limiter.run([1, 2], {}, nextTurn);
      expect(ran - before).toBeLessThan(20);
    }
    busy = false;
    await Promise.all(clients);
  });

  it('keeps a slot of its other customers, who use the remaining ones', async () => {
    const { started, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 2 }, writeBuffer()));
    const all = [
      read('1a', [1]),
      read('1b', [1]),
      read('1c', [1]),
      read('both', [1, 2]),
      read('2a', [2]),
      read('2b', [2]),
      read('3', [3]),
    ];
    expect(started).toEqual(['1a', '1b', '2a', '3']);
    await end('1a');
    expect(started.slice(4)).toEqual(['1c']);
    await end('1b');
    expect(started.slice(4)).toEqual(['1c', 'both']);
    await end('2a');
    expect(started.slice(4)).toEqual(['1c', 'both', '2b']);
    for (const name of started) await end(name);
    await Promise.all(all);
  });

  it('for a slot keeps its place among reads of other classes', async () => {
    const { started, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, writeBuffer()));
    const all = [read('fast', [1]), read('slow', [1, 2], { slow: true }), read('later', [2])];
    expect(started).toEqual(['fast']);
    await end('fast');
    expect(started).toEqual(['fast', 'slow']);
    await end('slow');
    await end('later');
    await Promise.all(all);
  });

  it('for the memory of large pages starts before later large pages of other customers', async () => {
    const { started, read, end } = reads(
      new ReadConcurrencyLimiter({ ...LIMITS, bytes: 42_000_000 }, writeBuffer()),
    );
    const all = [
      read('first', [1], { rows: 9_000 }),
      read('second', [2], { rows: 9_000 }),
      read('third', [3], { rows: 1_001 }),
      read('small', [4]),
    ];
    expect(started).toEqual(['first', 'small']);
    await end('first');
    expect(started).toEqual(['first', 'small', 'second', 'third']);
    for (const name of ['second', 'third', 'small']) await end(name);
    await Promise.all(all);
  });

  it('for its own large page delays no large page of another customer', async () => {
    const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
    const all = [
      read('neighbor', [3]),
      read('first', [1], { rows: 9_000 }),
      read('second', [1], { rows: 2_000 }),
      read('foreign', [2], { rows: 2_000 }),
    ];
    expect(started).toEqual(['neighbor', 'first', 'foreign']);
    for (const name of ['neighbor', 'first', 'foreign', 'second']) await end(name);
    await Promise.all(all);
  });

  it('lets later reads start when it is rejected', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { started, read, end } = reads(new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, writeBuffer()));
    const first = read('first', [1]);
    const both = expect(read('both', [1, 2])).rejects.toMatchObject({ kind: { status: 429 } });
    await jest.advanceTimersByTimeAsync(999);
    const second = read('second', [2]);
    expect(started).toEqual(['first']);
    await jest.advanceTimersByTimeAsync(1);
    await both;
    await nextTurn();
    expect(started).toEqual(['first', 'second']);
    await end('first');
    await end('second');
    await Promise.all([first, second]);
  });

  it('is not examined again for each read of a flood that is rejected', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const buffer = writeBuffer();
    const examined = jest.spyOn(buffer, 'hasRoom');
    const { read, end } = reads(new ReadConcurrencyLimiter(LIMITS, buffer));
    const running = [read('neighbor', [2]), read('running', [1], { rows: 9_000 })];
    const flood = Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => read(`flood ${n}`, [1], { rows: 9_000 })),
    );
    jest.advanceTimersByTime(4_999);
    const last = read('last', [1], { rows: 9_000 });
    examined.mockClear();
    jest.advanceTimersByTime(1);
    expect(new Set((await flood).map(({ status }) => status))).toEqual(new Set(['rejected']));
    await nextTurn();
    expect(examined.mock.calls.length).toBeGreaterThan(0);
    expect(examined.mock.calls.length).toBeLessThan(10);
    for (const name of ['neighbor', 'running', 'last']) await end(name);
    await Promise.all([...running, last]);
  });
});

it.each([
  ['fast', {}, 1_000],
  ['slow', { slow: true }, 5_000],
  ['large', { rows: 9_000 }, 5_000],
] as const)(
  'rejects a queued %s read (%j) after %i ms, reports it, and removes it from the queue',
  async (costClass, cost, waitMs) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const rejected: CostClass[] = [];
    const { started, read, end } = reads(
      new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, writeBuffer(), (rejectedClass) =>
        rejected.push(rejectedClass),
      ),
    );
    const first = read('first', [1], cost);
    const second = read('second', [1], cost);
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
  const limiter = new ReadConcurrencyLimiter({ ...LIMITS, reads: 1 }, writeBuffer());
  for (let n = 0; n < 3; n++) {
    await expect(limiter.run([1], { slow: true }, () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
  }
});

it('runs large pages of a customer up to its limit of rows, next to its small pages', async () => {
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
  const all = [
    read('neighbor', [3]),
    read('9,000 rows', [1], { rows: 9_000 }),
    read('2,000 rows', [1], { rows: 2_000 }),
    read('1,000 rows', [1], { rows: 1_000 }),
    read('foreign', [2], { rows: 9_000 }),
  ];
  expect(started).toEqual(['neighbor', '9,000 rows', '1,000 rows', 'foreign']);
  await end('9,000 rows');
  expect(started.at(-1)).toBe('2,000 rows');
  for (const name of ['neighbor', '2,000 rows', '1,000 rows', 'foreign']) await end(name);
  await Promise.all(all);
});

/** Checks that the limiter runs two of three large pages of a customer at a time. */
async function expectTwoOfThree(limiter: ReadConcurrencyLimiter): Promise<void> {
  const { started, read, end } = reads(limiter);
  const all = ['first', 'second', 'third'].map((name) => read(name, [1], { rows: 9_000 }));
  expect(started).toEqual(['first', 'second']);
  await end('first');
  expect(started).toEqual(['first', 'second', 'third']);
  for (const name of ['second', 'third']) await end(name);
  await Promise.all(all);
}

it('runs twice as many rows of large pages while no other customer sends small reads', async () => {
  await expectTwoOfThree(new ReadConcurrencyLimiter(LIMITS, writeBuffer()));
});

it('delays a large page until the write buffer has room for it', async () => {
  const buffer = writeBuffer();
  const { started, read, end } = reads(new ReadConcurrencyLimiter(LIMITS, buffer));
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  buffer.reserve(response, Buffer.alloc(63_000_000), [1]);
  const all = [read('large', [1], { rows: 9_000 }), read('small', [1])];
  expect(started).toEqual(['small']);
  response.emit('close');
  await nextTurn();
  expect(started).toEqual(['small', 'large']);
  for (const name of started) await end(name);
  await Promise.all(all);
});

it('delays a large page until the write buffer has room for those that run, too', async () => {
  const limiter = new ReadConcurrencyLimiter({ ...LIMITS, rows: 90_000, bytes: 1e9 }, writeBuffer());
  await limiter.run([1], { rows: 9_000 }, async ({ measured }) => measured(9_000, 25_000_000));
  await nextTurn();
  await expectTwoOfThree(limiter);
});

it('limits the memory of the large pages of all customers by the size of the rows', async () => {
  const limiter = new ReadConcurrencyLimiter({ ...LIMITS, bytes: 40_000_000 }, writeBuffer());
  const readTwo = async () => {
    const { started, read, end } = reads(limiter);
    const both = [read('first', [1], { rows: 9_000 }), read('second', [2], { rows: 9_000 })];
    const startedAtOnce = started.length;
    await end('first');
    await end('second');
    await Promise.all(both);
    return startedAtOnce;
  };
  const measure = async (rowBytes: number, rows = 9_000) => {
    await limiter.run([1, 2], { rows: 9_000 }, async ({ measured }) => measured(rows, rows * rowBytes));
    await nextTurn();
  };
  for (let n = 0; n < 20; n++) await measure(500, 1); // says little about full pages
  expect(await readTwo()).toBe(1);
  for (let n = 0; n < 20; n++) await measure(500);
  expect(await readTwo()).toBe(2);
  await measure(2_000);
  expect(await readTwo()).toBe(1);
});

describe('nextRows', () => {
  const LARGE = { rows: 9_000 };
  const pieces = () => {
    let count = 0;
    const limiter = new ReadConcurrencyLimiter(LIMITS, writeBuffer(), undefined, () => (count += 1));
    void limiter.run([1], LARGE, async ({ measured }) => measured(9_000, 9_000 * 500));
    const nextRows = (remaining: number) =>
      limiter.run([1], LARGE, (running) => running.nextRows(remaining, 0));
    return { limiter, nextRows, count: () => count, ...reads(limiter) };
  };
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));

  it('returns all rows of a large page without small reads of other customers', async () => {
    const { nextRows, count, read, end } = pieces();
    const own = read('own', [1]);
    expect(await nextRows(9_000)).toBe(9_000);
    expect(count()).toBe(0);
    await end('own');
    await own;
    expect(await nextRows(9_000)).toBe(9_000);
  });

  it('returns a piece when no small read of another customer runs, until a second after the last one', async () => {
    const { nextRows, read, end, count } = pieces();
    const small = read('small', [2]);
    let rows: number | undefined;
    const next = nextRows(9_000).then((value) => (rows = value));
    await jest.advanceTimersByTimeAsync(19);
    expect(rows).toBeUndefined();
    await end('small');
    await small;
    await next;
    expect(rows).toBe(500);
    expect(await nextRows(300)).toBe(300);
    await jest.advanceTimersByTimeAsync(999);
    expect(await nextRows(9_000)).toBe(500);
    await jest.advanceTimersByTimeAsync(1);
    expect(await nextRows(9_000)).toBe(9_000);
    expect(count()).toBe(3);
  });

  it('does not wait for slow reads, large pages and long lists', async () => {
    const { nextRows, read, end } = pieces();
    const others = [
      read('slow', [2], { slow: true }),
      read('large', [3], { rows: 1_001 }),
      read('long list', [4], { isLongList: true }),
    ];
    expect(await nextRows(9_000)).toBe(9_000);
    for (const name of ['slow', 'large', 'long list']) await end(name);
    await Promise.all(others);
  });

  it('measures the rows of a customer with its first large page', async () => {
    const limiter = new ReadConcurrencyLimiter(LIMITS, writeBuffer());
    const rows = await limiter.run([1], LARGE, async ({ nextRows, measured }) => {
      const first = await nextRows(9_000, 0);
      const second = await nextRows(9_000 - first, first * 500);
      measured(9_000, 9_000 * 500);
      return [first, second];
    });
    expect(rows).toEqual([1_000, 8_000]);
    expect(await limiter.run([1], LARGE, ({ nextRows }) => nextRows(9_000, 0))).toBe(9_000);
    expect(await limiter.run([1, 2], LARGE, ({ nextRows }) => nextRows(9_000, 0))).toBe(1_000);
  });

  it('ends a page of long rows at half of the memory for large pages, because it is in memory twice', async () => {
    const limiter = new ReadConcurrencyLimiter({ ...LIMITS, bytes: 40_000_000 }, writeBuffer());
    const rows = await limiter.run([1], LARGE, async ({ nextRows }) => {
      const first = await nextRows(9_000, 0);
      const second = await nextRows(9_000 - first, first * 8_000);
      return [first, second, await nextRows(9_000 - first - second, (first + second) * 8_000)];
    });
    expect(rows).toEqual([1_000, 1_500, 0]);
  });

  it('waits 20 ms per piece and 1 s per page at most, since small reads may never pause', async () => {
    const { limiter, read, end, count } = pieces();
    await nextTurn();
    const small = read('small', [2]);
    const page = limiter.run([1], LARGE, async ({ nextRows }) => {
      while ((await nextRows(9_000, 0)) < 9_000);
    });
    await jest.advanceTimersByTimeAsync(1_100);
    await page;
    expect(count()).toBeGreaterThanOrEqual(25);
    expect(count()).toBeLessThanOrEqual(51);
    await end('small');
    await small;
  });
});
