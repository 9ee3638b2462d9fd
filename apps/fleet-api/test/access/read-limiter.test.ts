import type { CostClass, ReadCost, ReadLimiter } from '../../src/api/access/read-limiter.ts';
import { newReadLimiter, PAGE_BYTES } from '../support/read-limiter.ts';

const SLOW = { isSlow: true };
const LARGE = { isLarge: true };

afterEach(() => jest.useRealTimers());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Starts reads that run until the test ends them. */
function reads(limiter: ReadLimiter) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const running: Promise<string>[] = [];
  const read = (name: string, customerIds: number[], cost: ReadCost = {}) => {
    const result = limiter.run(customerIds, cost, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
    running.push(result);
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTurn();
  };
  const endAll = async () => {
    for (let n = 0; n < started.length; n++) await end(started[n] as string);
    return Promise.all(running);
  };
  return { started, read, end, endAll };
}

it('runs the configured number of reads per customer and queues others in order of arrival', async () => {
  const { started, read, end, endAll } = reads(newReadLimiter());
  for (const name of ['a', 'b', 'c', 'd', 'e']) void read(name, [1]);
  await nextTurn();
  expect(started).toEqual(['a', 'b', 'c']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(await endAll()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it.each([
  ['slow ones', SLOW],
  ['large pages', LARGE],
])('does not delay other customers, nor fast reads behind %s of the same customer', async (_name, cost) => {
  const { started, read, end, endAll } = reads(newReadLimiter());
  for (const n of [1, 2, 3, 4]) void read(`costly ${n}`, [1], cost);
  void read('fast 1', [1]);
  void read('fast 2', [1]);
  void read('foreign', [2], cost);
  await nextTurn();
  expect(started.toSorted()).toEqual(['costly 1', 'fast 1', 'fast 2', 'foreign']);
  await end('costly 1');
  expect(started.at(-1)).toBe('costly 2');
  await endAll();
  expect(started).toHaveLength(7);
});

it.each([
  ['slow', SLOW],
  ['large', LARGE],
])('runs two %s reads of all customers at a time', async (_name, cost) => {
  const { started, read, end, endAll } = reads(newReadLimiter());
  for (const customer of [1, 2, 3]) void read(`of ${customer}`, [customer], cost);
  void read('fast', [3]);
  await nextTurn();
  expect(started.toSorted()).toEqual(['fast', 'of 1', 'of 2']);
  await end('of 1');
  expect(started.at(-1)).toBe('of 3');
  await endAll();
});

it('counts a large page with a text filter as both', async () => {
  const { started, read, end, endAll } = reads(newReadLimiter());
  void read('both', [1], { ...SLOW, ...LARGE });
  await nextTurn();
  void read('slow', [1], SLOW);
  void read('large', [1], LARGE);
  await nextTurn();
  expect(started).toEqual(['both']);
  await end('both');
  expect(started.toSorted()).toEqual(['both', 'large', 'slow']);
  await endAll();
});

it('counts a read over several customers for each of them', async () => {
  const { started, read, end, endAll } = reads(newReadLimiter({ fast: 1 }));
  void read('both', [2, 1]);
  await nextTurn();
  void read('first', [1]);
  void read('second', [2]);
  void read('third', [3]);
  await nextTurn();
  expect(started).toEqual(['both', 'third']);
  await end('both');
  expect(started.toSorted()).toEqual(['both', 'first', 'second', 'third']);
  await endAll();
});

it('starts a read of two busy customers before later reads of each', async () => {
  const limiter = newReadLimiter({ fast: 2 });
  let busy = true;
  let ran = 0;
  const keepBusy = async (customer: number) => {
    while (busy) {
      await limiter.run([customer], {}, nextTurn);
      ran += 1;
    }
  };
  const clients = [1, 1, 1, 2, 2, 2].map(keepBusy);
  for (let n = 0; n < 10; n++) {
    const before = ran;
    await limiter.run(n % 2 === 0 ? [1, 2] : [2, 1], {}, nextTurn);
    expect(ran - before).toBeLessThan(20);
  }
  busy = false;
  await Promise.all(clients);
});

it.each([
  ['fast', {}, 1_000],
  ['slow', SLOW, 5_000],
  ['large', LARGE, 5_000],
] as const)(
  'rejects a queued %s read (%j) after %i ms, reports it, and removes it from the queue',
  async (costClass, cost, waitMs) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const rejected: CostClass[] = [];
    const limiter = newReadLimiter({ fast: 1 }, (rejectedClass) => rejected.push(rejectedClass));
    const { started, read, end } = reads(limiter);
    const first = read('first', [1], cost);
    const rejection = expect(read('second', [1, 2], cost)).rejects.toMatchObject({
      kind: { code: 'too_many_requests', status: 429 },
      headers: { 'retry-after': '1' },
    });
    await jest.advanceTimersByTimeAsync(waitMs - 1);
    expect(rejected).toEqual([]);
    const later = [read('later of 1', [1], cost), read('of 2', [2], cost)];
    await jest.advanceTimersByTimeAsync(1);
    await rejection;
    expect(rejected).toEqual([costClass]);
    await end('first');
    expect(started.toSorted()).toEqual(['first', 'later of 1', 'of 2']);
    for (const name of started) await end(name);
    await Promise.all([first, ...later]);
  },
);

it('a page of an export waits longer, without the slot of one customer while another one is busy', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const rejected: CostClass[] = [];
  const limiter = newReadLimiter({ fast: 1 }, (rejectedClass) => rejected.push(rejectedClass));
  const { started, read, end } = reads(limiter);
  const busy = read('busy', [2]);
  const page = read('page', [1, 2], { isExport: true });
  await jest.advanceTimersByTimeAsync(500);
  const other = read('other', [1]);
  await jest.advanceTimersByTimeAsync(499);
  expect(started).toEqual(['busy']);
  await jest.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['busy', 'other']);
  await end('other');
  await jest.advanceTimersByTimeAsync(20_000);
  await end('busy');
  expect(started).toEqual(['busy', 'other', 'page']);
  await end('page');
  await Promise.all([busy, page, other]);
  expect(rejected).toEqual([]);
});

it('rejects a page of an export after 30 s', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const rejected: CostClass[] = [];
  const limiter = newReadLimiter({ fast: 1 }, (rejectedClass) => rejected.push(rejectedClass));
  const { started, read, end } = reads(limiter);
  const busy = read('busy', [2]);
  const rejections = [[2], [1, 2]].map((customerIds) =>
    expect(read('page', customerIds, { isExport: true })).rejects.toMatchObject({ kind: { status: 429 } }),
  );
  await jest.advanceTimersByTimeAsync(29_999);
  expect(rejected).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  await Promise.all(rejections);
  expect(rejected).toEqual(['fast', 'fast']);
  await end('busy');
  const next = read('next', [1, 2]);
  await nextTurn();
  expect(started).toEqual(['busy', 'next']);
  await end('next');
  await Promise.all([busy, next]);
});

it('releases its slots when the read fails', async () => {
  const limiter = newReadLimiter({ fast: 1 });
  for (let n = 0; n < 3; n++) {
    const read = limiter.run([1, 2], { ...SLOW, ...LARGE }, () => Promise.reject(new Error('failed')));
    await expect(read).rejects.toThrow('failed');
  }
});

it('delays a large page until the write buffer has room for it, without delaying small pages', async () => {
  let hasRoom = false;
  const limiter = newReadLimiter({}, undefined, { hasRoom: () => hasRoom });
  const { started, read, endAll } = reads(limiter);
  void read('large', [1], LARGE);
  void read('small', [1]);
  await nextTurn();
  expect(started).toEqual(['small']);
  hasRoom = true;
  while (started.length < 2) await nextTurn();
  await endAll();
});

it('rejects a large page while earlier responses are not read', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'setTimeout', 'nextTick'] });
  const limiter = newReadLimiter({}, undefined, {
    hasRoom: (customerIds, bytes) => {
      expect([customerIds, bytes]).toEqual([[1], PAGE_BYTES]);
      jest.advanceTimersByTime(1_000);
      return false;
    },
  });
  await expect(limiter.run([1], LARGE, () => Promise.resolve())).rejects.toMatchObject({
    kind: { status: 429 },
  });
});
