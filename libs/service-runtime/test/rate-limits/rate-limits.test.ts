import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import type { FastifyReply } from 'fastify';
import { RateLimits, type RateLimitsOptions } from '../../src/rate-limits/rate-limits.ts';
import { type Database, DependencyUnavailable, rateLimitTableSql, websiteErrors } from '../../src/process.ts';
import { openDatabase } from '../support/open-database.ts';

let testDatabase: TestDatabase;
const opened: Database[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase('service-runtime/rate-limits', async (adminUrl) => {
    await query(adminUrl, 'CREATE SCHEMA website');
    await query(adminUrl, rateLimitTableSql('website'));
  });
});
afterEach(() => Promise.all(opened.splice(0).map((database) => database.stop())));
afterAll(() => testDatabase.drop());

type Count = (subject: string, reply?: FastifyReply) => Promise<void>;

/** Creates the limit of one replica, 3 per minute, with its own connection pool. Returns a function that counts a request. */
function limit(
  action: string,
  { points = 3, ...change }: Partial<RateLimitsOptions<string>> & { points?: number } = {},
  url = testDatabase.url,
): Count {
  const database = openDatabase(url);
  opened.push(database);
  const limits = new RateLimits(database, {
    schema: 'website',
    perMinute: { [action]: points },
    enabled: true,
    errorKind: websiteErrors.tooManyRequests,
    ...change,
  });
  return (subject, reply = fakeReply().reply) => limits.count(action, subject, reply);
}

/** A partial Fastify reply that records the headers set on it. */
function fakeReply(): { reply: FastifyReply; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  const reply = {
    headers: (more: Record<string, string>) => Object.assign(headers, more),
    getHeader: (name: string) => headers[name],
  };
  return { reply: reply as unknown as FastifyReply, headers };
}

/** Returns how many of `times` attempts pass. */
async function passes(limits: Count[], key: string, times: number): Promise<number> {
  const tries = Array.from({ length: times }, (_, index) =>
    limits[index % limits.length]!(key).then(
      () => 1,
      (rejection: unknown) => {
        expect(rejection).toMatchObject({ kind: websiteErrors.tooManyRequests });
        return 0;
      },
    ),
  );
  return (await Promise.all(tries)).reduce<number>((sum, passed) => sum + passed, 0);
}

test('replicas share one counter', async () => {
  expect(await passes([limit('shared'), limit('shared')], '203.0.113.7', 20)).toBe(3);
  expect(await passes([limit('shared')], '203.0.113.7', 2)).toBe(0);
});

test('each key and each limit has its own counter', async () => {
  const [one, other] = [limit('one'), limit('other')];
  expect(await passes([one], 'a', 5)).toBe(3);
  expect(await passes([one], 'b', 5)).toBe(3);
  expect(await passes([other], 'a', 5)).toBe(3);
});

test('sets the RateLimit headers and Retry-After', async () => {
  const limited = limit('headers');
  for (const remaining of ['2', '1', '0']) {
    const { reply, headers } = fakeReply();
    await limited('a', reply);
    expect(headers).toEqual({
      'ratelimit-limit': '3',
      'ratelimit-remaining': remaining,
      'ratelimit-reset': expect.stringMatching(/^(5\d|60)$/) as string,
    });
  }
  for (let times = 0; times < 3; times++) {
    await expect(limited('a')).rejects.toMatchObject({
      kind: { status: 429 },
      message: expect.stringMatching(/^Too many requests; retry in (5\d|60) s\.$/) as string,
      headers: {
        'retry-after': expect.stringMatching(/^(5\d|60)$/) as string,
        'ratelimit-limit': '3',
        'ratelimit-remaining': '0',
        'ratelimit-reset': expect.stringMatching(/^(5\d|60)$/) as string,
      },
    });
  }
});

test('the headers describe the limit with the fewest remaining requests', async () => {
  const { reply, headers } = fakeReply();
  await limit('near', { points: 5 })('a', reply);
  await limit('far', { points: 50 })('a', reply);
  expect(headers['ratelimit-remaining']).toBe('4');
});

test('resets at the end of the window', async () => {
  const limited = limit('window', { windowSeconds: 2 });
  // Connects first, which may take longer than the rest of the test.
  await passes([limited], 'b', 4);
  expect(await passes([limited], 'a', 5)).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect(await passes([limited], 'a', 5)).toBe(3);
});

test.each([
  ['long', 'x'.repeat(10_000)],
  ['with a NUL', 'a\0b'],
  ['with a lone surrogate', '\ud800'],
  ['empty', ''],
])('accepts any key and stores only its hash: %s', async (name, key) => {
  expect(await passes([limit(`any ${name}`)], key, 5)).toBe(3);
  expect(await passes([limit(`any ${name}`)], `${key}!`, 5)).toBe(3);
});

test('deletes counters of past windows', async () => {
  await query(
    testDatabase.url,
    "INSERT INTO website.rate_limits (key, points, expire) VALUES ('past', 1, 1)",
  );
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  limit('sweep');
  jest.advanceTimersByTime(5 * 60_000);
  jest.useRealTimers();
  const left = () => query(testDatabase.url, "SELECT key FROM website.rate_limits WHERE key = 'past'");
  while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

test('a disabled limit counts nothing', async () => {
  expect(await passes([limit('off', { enabled: false })], 'a', 10)).toBe(10);
});

test('rejects requests while the database is unavailable', async () => {
  const url = new URL(testDatabase.url);
  url.port = '1';
  const rejection = limit('away', {}, url.href)('a');
  await expect(rejection).rejects.toBeInstanceOf(DependencyUnavailable);
});

test('rejects requests while its table is missing', async () => {
  const rejection = limit('no table', { schema: 'nowhere' })('a');
  await expect(rejection).rejects.toBeInstanceOf(DependencyUnavailable);
});
