import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Revocation } from '@gpu-observatory/domain-types';
import { jest } from '@jest/globals';
import { type Caller, httpRevocationSource, RevocationFeed, type RevocationPage } from '../src/index.ts';

const nowMs = Date.now();
const at = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString();
const caller: Caller = {
  userId: 7,
  sessionId: 'session-1',
  access: [{ customer_id: 3, workspace_ids: 'all' }],
  issuedAt: Math.floor(nowMs / 1000) - 60,
  expiresAt: Math.floor(nowMs / 1000) + 3_600,
  signingKeyId: 'key-1',
};
const signOut: Revocation = { kind: 'session', id: 'session-1', not_before: at(0) };

const feeds: RevocationFeed[] = [];
afterEach(() => feeds.splice(0).forEach((feed) => feed.stop()));

function follow(source: (since: string | null) => unknown, failures: unknown[] = []): RevocationFeed {
  const feed = new RevocationFeed(
    async (since) => source(since) as RevocationPage,
    (failure) => failures.push(failure),
  );
  feeds.push(feed);
  return feed;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a revocation takes effect within 2 s', async () => {
  const revocations: Revocation[] = [];
  const feed = follow(() => ({ as_of: new Date().toISOString(), revocations }));
  await feed.start();
  expect(feed.unavailableReason).toBeNull();
  expect(feed.revocations.isRevoked(caller)).toBe(false);
  revocations.push(signOut);
  const begun = performance.now();
  await until(() => feed.revocations.isRevoked(caller));
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test('reads everything first, then with an overlap of 10 s for late commits', async () => {
  const asked: (string | null)[] = [];
  // Begun before the first read, and committed after it.
  const late = { revocation: signOut, recordedAt: at(-1) };
  let committed = false;
  const feed = follow((since) => {
    asked.push(since);
    const isIncluded = committed && (since === null || late.recordedAt >= since);
    return { as_of: at(0), revocations: isIncluded ? [late.revocation] : [] };
  });
  await feed.start();
  committed = true;
  await until(() => asked.length >= 3);
  expect(asked.slice(0, 3)).toEqual([null, at(-10), at(-10)]);
  expect(feed.revocations.isRevoked(caller)).toBe(true);
});

test('reads everything again once a minute, for long transactions', async () => {
  const asked: (string | null)[] = [];
  const feed = follow((since) => {
    asked.push(since);
    return { as_of: at(0), revocations: since === null && asked.length > 1 ? [signOut] : [] };
  });
  await feed.start();
  await until(() => asked.length >= 2);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => nowMs + 90_000);
  try {
    await until(() => feed.revocations.isRevoked(caller));
  } finally {
    clock.mockRestore();
  }
  expect(asked.slice(0, 2)).toEqual([null, at(-10)]);
  expect(asked.at(-1)).toBeNull();
});

test('keeps known revocations while the feed is unavailable, reports errors and recovers', async () => {
  let away = false;
  const failures: unknown[] = [];
  let revocations = [signOut];
  const feed = follow(() => {
    if (away) throw new Error('away');
    return { as_of: new Date().toISOString(), revocations };
  }, failures);
  await feed.start();
  away = true;
  await until(() => failures.length >= 2);
  expect(feed.unavailableReason).toBeNull();
  expect(feed.revocations.isRevoked(caller)).toBe(true);
  const age = feed.ageSeconds;
  expect(age).toBeGreaterThan(0.4);
  revocations = [{ kind: 'user', id: '8', not_before: at(0) }];
  away = false;
  await until(() => feed.revocations.isRevoked({ ...caller, sessionId: 'another', userId: 8 }));
  await until(() => feed.ageSeconds < age);
});

test('a replica is not ready before the first read', async () => {
  const failures: unknown[] = [];
  const feed = follow(() => {
    throw new Error('away');
  }, failures);
  expect(feed.unavailableReason).toBe('the revocation feed has not been read yet');
  await feed.start();
  expect(failures).toHaveLength(1);
  expect(feed.unavailableReason).toBe('the revocation feed has not been read yet');
  expect(feed.ageSeconds).toBe(Infinity);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'revocations'],
  ['a list', []],
  ['no time', { revocations: [] }],
  ['a time that is none', { as_of: 'yesterday', revocations: [] }],
  ['a time that is a number', { as_of: 1, revocations: [] }],
  ['no revocations', { as_of: at(0) }],
  ['revocations that are none', { as_of: at(0), revocations: { 0: signOut } }],
  ['an entry without a time', { as_of: at(0), revocations: [{ kind: 'session', id: 'session-1' }] }],
  ['an entry with a wrong time', { as_of: at(0), revocations: [{ ...signOut, not_before: 'now' }] }],
  ['an entry without an id', { as_of: at(0), revocations: [{ ...signOut, id: '' }] }],
  ['an entry whose id is a number', { as_of: at(0), revocations: [{ ...signOut, id: 1 }] }],
])('rejects a malformed page as a whole: %s', async (_name, page) => {
  const failures: unknown[] = [];
  const feed = follow(() => page, failures);
  await feed.start();
  expect(failures).toHaveLength(1);
  expect(feed.unavailableReason).toBe('the revocation feed has not been read yet');
  expect(feed.revocations.isRevoked(caller)).toBe(false);
});

test('skips kinds that only a newer account service has', async () => {
  const feed = follow(() => ({ as_of: at(0), revocations: [{ kind: 'planet', id: 3 }, null, signOut] }));
  await feed.start();
  expect(feed.unavailableReason).toBeNull();
  expect(feed.revocations.isRevoked(caller)).toBe(true);
});

test('stops, also during a read', async () => {
  let readings = 0;
  let answer: (page: unknown) => void = () => undefined;
  const feed = follow(() => {
    readings += 1;
    return new Promise((resolve) => (answer = resolve));
  });
  const starting = feed.start();
  feed.stop();
  answer({ as_of: at(0), revocations: [] });
  await starting;
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(readings).toBe(1);
});

describe('over HTTP', () => {
  const CREDENTIAL = 'internal-credential';
  let handle: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => handle(request, response));
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('sends the credential of the deployment', async () => {
    const asked: unknown[] = [];
    handle = (request, response) => {
      asked.push([request.method, request.url, request.headers.authorization]);
      response.end(JSON.stringify({ as_of: at(0), revocations: [signOut] }));
    };
    const source = httpRevocationSource(url, CREDENTIAL);
    expect(await source(null)).toEqual({ as_of: at(0), revocations: [signOut] });
    await source('2026-11-21T12:00:00.000Z');
    expect(asked).toEqual([
      ['GET', '/internal/v1/revocations', `Bearer ${CREDENTIAL}`],
      ['GET', '/internal/v1/revocations?since=2026-11-21T12%3A00%3A00.000Z', `Bearer ${CREDENTIAL}`],
    ]);
  });

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['a 401', (response) => response.writeHead(401).end(), /returned 401/],
    [
      'a redirect',
      (response) => response.writeHead(302, { location: 'http://evil.example/' }).end(),
      /fetch failed/,
    ],
    ['no JSON', (response) => response.end('<html>'), /JSON/],
    ['silence', () => undefined, /timeout/],
    ['half an answer', (response) => response.write('{"as_of":'), /timeout/],
  ])('fails within its time: %s', async (_name, answer, message) => {
    handle = (_request, response) => answer(response);
    const begun = performance.now();
    await expect(httpRevocationSource(url, CREDENTIAL)(null)).rejects.toThrow(message);
    // The default timeout of fetch is minutes.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
