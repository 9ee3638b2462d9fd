import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Revocation } from '@gpu-observatory/domain-types';
import {
  type Caller,
  httpRevocationSource,
  RevocationFeed,
  type RevocationFeedOptions,
  type RevocationPosition,
} from '../src/index.ts';

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

/** Monotonic time of the feeds, in ms. */
let monotonicMs = 0;

interface Read extends RevocationPosition {
  timeoutMs: number;
}

function follow(
  source: (since: string | null, read: Read) => unknown,
  failures: unknown[] = [],
  options: RevocationFeedOptions = {},
): RevocationFeed {
  const feed = new RevocationFeed(
    async (position, timeoutMs) => source(position.since, { ...position, timeoutMs }) as never,
    {
      onError: (error) => failures.push(error),
      now: () => performance.now() + monotonicMs,
      ...options,
    },
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
  const startedAt = performance.now();
  await until(() => feed.revocations.isRevoked(caller));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
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
  monotonicMs += 90_000;
  await until(() => feed.revocations.isRevoked(caller));
  expect(asked.slice(0, 2)).toEqual([null, at(-10)]);
});

describe('a full read that fails', () => {
  const isRead = (feed: RevocationFeed, id: string) =>
    feed.revocations.isRevoked({ ...caller, sessionId: id });

  test('does not stop the polls', async () => {
    const failures: unknown[] = [];
    let isFullReadFailing = false;
    const revocations: Revocation[] = [];
    const feed = follow((since) => {
      if (since === null && isFullReadFailing) throw new Error('timeout');
      return { as_of: new Date().toISOString(), revocations: since === null ? [] : revocations };
    }, failures);
    await feed.start();
    isFullReadFailing = true;
    monotonicMs += 90_000;
    await until(() => failures.length > 0);
    revocations.push(signOut);
    const started = performance.now();
    await until(() => isRead(feed, signOut.id));
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(feed.ageSeconds).toBeLessThan(2);
    expect(feed.fullReadAgeSeconds).toBeGreaterThan(89);
  });

  test('does not delay the polls while it waits', async () => {
    const revocations: Revocation[] = [];
    let isFullReadHanging = false;
    const feed = follow((since) => {
      if (since === null && isFullReadHanging) return new Promise(() => undefined);
      return { as_of: new Date().toISOString(), revocations: since === null ? [] : revocations };
    });
    await feed.start();
    isFullReadHanging = true;
    monotonicMs += 90_000;
    await new Promise((resolve) => setTimeout(resolve, 700));
    revocations.push(signOut);
    const started = performance.now();
    await until(() => isRead(feed, signOut.id));
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('resumes at the page that failed, and is not complete before the last page', async () => {
    const afters: (string | null)[] = [];
    let failuresLeft = 1;
    const feed = follow((since, { after }) => {
      if (since !== null) return { as_of: at(0), revocations: [] };
      afters.push(after);
      if (after === 'page-2' && failuresLeft-- > 0) throw new Error('timeout');
      const id = `session-${after ?? 'page-1'}`;
      const next = after === null ? 'page-2' : after === 'page-2' ? 'page-3' : null;
      return { as_of: at(0), next, revocations: [{ kind: 'session', id, not_before: at(0) }] };
    });
    await feed.start();
    expect(feed.unavailableReason).toBe('the revocation feed has not been read yet');
    expect(isRead(feed, 'session-page-1')).toBe(true);
    await until(() => feed.unavailableReason === null);
    expect(afters).toEqual([null, 'page-2', 'page-2', 'page-3']);
    expect(isRead(feed, 'session-page-3')).toBe(true);
  });

  test('has more time per page than a poll', async () => {
    const timeouts = new Map<string, number>();
    const feed = follow((since, { timeoutMs }) => {
      timeouts.set(since === null ? 'full' : 'poll', timeoutMs);
      return { as_of: at(0), revocations: [] };
    });
    await feed.start();
    await until(() => timeouts.has('poll'));
    expect(Object.fromEntries(timeouts)).toEqual({ full: 10_000, poll: 700 });
  });
});

describe('a stale feed', () => {
  async function staleFeed(options: RevocationFeedOptions): Promise<RevocationFeed> {
    let isAway = false;
    const feed = follow(
      () => {
        if (isAway) throw new Error('away');
        return { as_of: at(0), revocations: [] };
      },
      [],
      { stalenessLimitSeconds: 30, ...options },
    );
    await feed.start();
    expect([feed.isStale, feed.freshness]).toEqual([false, 'last read 0 s ago']);
    isAway = true;
    monotonicMs += 31_000;
    return feed;
  }

  test('is reported, and leaves the replica ready', async () => {
    const feed = await staleFeed({});
    expect(feed.isStale).toBe(true);
    expect(feed.freshness).toBe('stale: the revocation feed was last read 31 s ago, the limit is 30 s');
    expect(feed.unavailableReason).toBeNull();
  });

  test('makes the replica not ready if the operator requires it', async () => {
    const feed = await staleFeed({ isRequiredForReadiness: true });
    expect(feed.unavailableReason).toBe(
      'stale: the revocation feed was last read 31 s ago, the limit is 30 s',
    );
  });
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
  ['an invalid time', { as_of: 'yesterday', revocations: [] }],
  ['a time that is a number', { as_of: 1, revocations: [] }],
  ['no revocations', { as_of: at(0) }],
  ['revocations that are none', { as_of: at(0), revocations: { 0: signOut } }],
  ['an entry without a time', { as_of: at(0), revocations: [{ kind: 'session', id: 'session-1' }] }],
  ['an entry with a wrong time', { as_of: at(0), revocations: [{ ...signOut, not_before: 'now' }] }],
  ['an entry without an id', { as_of: at(0), revocations: [{ ...signOut, id: '' }] }],
  ['a next page that is a number', { as_of: at(0), next: 2, revocations: [signOut] }],
  ['sessions that are a list', { as_of: at(0), revocations: [], sessions: [] }],
  ['an incomplete session', { as_of: at(0), revocations: [signOut], sessions: 'AAAA' }],
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
  let respond: (page: unknown) => void = () => undefined;
  const feed = follow(() => {
    readings += 1;
    return new Promise((resolve) => (respond = resolve));
  });
  const starting = feed.start();
  feed.stop();
  respond({ as_of: at(0), revocations: [] });
  await starting;
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(readings).toBe(1);
});

describe('over HTTP', () => {
  const CREDENTIAL = 'internal-credential';
  const FROM_START = { since: null, after: null };
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
    expect(await source(FROM_START, 1_000)).toEqual({ as_of: at(0), revocations: [signOut] });
    await source({ since: '2026-11-21T12:00:00.000Z', after: '2026-11-21T12:00:01.000Z_7' }, 1_000);
    expect(asked).toEqual([
      ['GET', '/internal/v1/revocations?format=compact', `Bearer ${CREDENTIAL}`],
      [
        'GET',
        `/internal/v1/revocations?${new URLSearchParams({
          format: 'compact',
          since: '2026-11-21T12:00:00.000Z',
          after: '2026-11-21T12:00:01.000Z_7',
        })}`,
        `Bearer ${CREDENTIAL}`,
      ],
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
    ['no response', () => undefined, /timeout/],
    ['half a response', (response) => response.write('{"as_of":'), /timeout/],
  ])('fails within its time: %s', async (_name, respond, message) => {
    handle = (_request, response) => respond(response);
    const startedAt = performance.now();
    await expect(httpRevocationSource(url, CREDENTIAL)(FROM_START, 700)).rejects.toThrow(message);
    // The default timeout of fetch is minutes.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
