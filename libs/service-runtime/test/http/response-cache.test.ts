import type { FastifyReply } from 'fastify';
import { ResponseCache } from '../../src/http/response-cache.ts';

const MAX_BYTES = 1024 * 1024;
const REPLY = { getHeaders: () => ({}), request: { routeOptions: { url: '/' } } } as unknown as FastifyReply;

let nowMs = 1_000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

function advance(milliseconds: number): void {
  nowMs += milliseconds;
  jest.advanceTimersByTime(milliseconds);
}

/** Returns a cache with one entry per key. */
function cacheOf(...keys: string[]): ResponseCache {
  const cache = new ResponseCache(MAX_BYTES);
  for (const key of keys) cache.set(key, REPLY, { etag: '"1"', body: Buffer.from(key), validity: null });
  return cache;
}

const keysIn = (cache: ResponseCache, ...keys: string[]) =>
  keys.filter((key) => cache.get(key) !== undefined);

it('drops an entry that was not used for 30 s', () => {
  const cache = cacheOf('a', 'b');
  expect(keysIn(cache, 'a', 'b')).toEqual(['a', 'b']);
  advance(40_000);
  cache.purge();
  expect(cache.size).toBe(0);
});

it('keeps an entry that is used', () => {
  const cache = cacheOf('a', 'b');
  for (let n = 0; n < 4; n++) {
    advance(20_000);
    cache.purge();
    expect(keysIn(cache, 'a')).toEqual(['a']);
  }
  expect(cache.size).toBe(1);
});
