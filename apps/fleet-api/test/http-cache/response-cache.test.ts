import type { Access } from '@gpu-observatory/domain-types';
import { query, withClient } from '@gpu-observatory/embedded-database';
import { Stopwatch } from '@gpu-observatory/testing';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { newestImport } from '../support/fleet-tables.ts';
import { waitForFullHour } from '../support/clock.ts';
import {
  alertRecord,
  alertStateRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  uuid,
} from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const NARROW: Access = [{ customer_id: 1, workspace_ids: [10] }];
const ROUTES = [
  '/api/v1/alerts/',
  '/api/v1/alerts?page_size=1&sort=-severity',
  '/api/v1/alerts:summary',
  '/api/v1/alerts:severityTrend?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  `/api/v1/alerts:severityTrend?from=${minutesAgo(90)}`,
  `/api/v1/alerts/${uuid(1)}`,
  `/api/v1/alerts/${uuid(1)}/timeline`,
  '/api/v1/metrics',
];

let fleet: FleetService;
let proxy: DatabaseProxy;
let token: string;

beforeAll(async () => {
  await waitForFullHour();
  fleet = await startFleetService({
    environment: { ALLOWED_ORIGINS: 'https://app.example' },
    connectVia: async (url) => {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
  });
  await fleet.import([alertRecord(1), alertRecord(2), alertRecord(3, { customer_id: 2 })]);
  token = await fleet.account.token(ACCESS);
});

afterAll(async () => {
  await fleet.stop();
  await proxy.stop();
});

afterEach(() => jest.restoreAllMocks());

/** Requests with the same token: the guard caches only tokens that it has verified before. */
const getWithToken = (path: string, headers: Record<string, string> = {}, as = token) =>
  fetch(`${fleet.running.publicUrl}${path}`, { headers: { authorization: `Bearer ${as}`, ...headers } });

/** Returns the response without the headers that differ per request. */
async function comparable(response: Response): Promise<unknown> {
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'x-request-id', 'connection', 'keep-alive']) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

/** Runs while the tables are locked, so that only cached responses are served. */
function withoutReading<Result>(run: () => Promise<Result>): Promise<Result> {
  return withClient(fleet.database.ownerUrl, async (client) => {
    await client.query(
      'BEGIN; LOCK TABLE fleet.alerts, fleet.alert_counts, fleet.metric_days IN ACCESS EXCLUSIVE MODE',
    );
    return run();
  });
}

describe.each(ROUTES)('%s, repeated', (path) => {
  it('is served with the same headers and body without reading the data', async () => {
    for (const headers of [{}, { origin: 'https://app.example' }, { origin: 'https://evil.example' }]) {
      const first = await comparable(await getWithToken(path, headers));
      expect(first).toMatchObject({ status: 200 });
      const again = await withoutReading(() => getWithToken(path, headers));
      expect(await comparable(again)).toEqual(first);
    }
  });

  it('is a 304 with the headers of the response for a matching entity tag', async () => {
    const etag = (await getWithToken(path)).headers.get('etag') as string;
    const unchanged = await withoutReading(() => getWithToken(path, { 'if-none-match': etag }));
    expect(await comparable(unchanged)).toMatchObject({
      status: 304,
      body: '',
      headers: { etag, 'cache-control': 'private, no-cache', 'x-data-as-of': expect.any(String) },
    });
  });
});

it('is invalidated by imports for the caller’s customers only', async () => {
  const path = '/api/v1/alerts/?sort=timestamp';
  const before = await comparable(await getWithToken(path));
  await fleet.import([alertRecord(40, { customer_id: 2 })]);
  expect(await comparable(await withoutReading(() => getWithToken(path)))).toEqual(before);
  await fleet.import([alertStateRecord(1, 'ignored')]);
  const after = (await (await getWithToken(path)).json()) as { alerts: { id: string; state: string }[] };
  expect(after.alerts.find(({ id }) => id === uuid(1))?.state).toBe('ignored');
});

describe('after an import of GPU samples only', () => {
  const ALERT_ROUTES = ROUTES.filter(
    (path) => path.includes('alerts') && !/alerts\/[0-9a-f-]{36}$/.test(path),
  );

  it.each(ALERT_ROUTES)('%s is still cached, with the time of that import', async (path) => {
    await fleet.import([gpuRecord('GPU-7'), sampleRecord('GPU-7', minutesAgo(5))]);
    const before = await getWithToken(path);
    const body = await before.text();
    const etag = before.headers.get('etag') as string;
    await fleet.import([sampleRecord('GPU-7', new Date().toISOString())]);
    const [hit, unchanged] = await withoutReading(() =>
      Promise.all([getWithToken(path), getWithToken(path, { 'if-none-match': etag })]),
    );
    expect([hit.status, await hit.text(), unchanged.status]).toEqual([200, body, 304]);
    for (const response of [hit, unchanged])
      expect(response.headers.get('x-data-as-of')).toBe(await newestImport(fleet.database.ownerUrl));
  });

  it('metrics are read again', async () => {
    const before = (await getWithToken('/api/v1/metrics')).headers.get('etag');
    await fleet.import([gpuRecord('GPU-8'), sampleRecord('GPU-8', new Date().toISOString())]);
    expect((await getWithToken('/api/v1/metrics')).headers.get('etag')).not.toBe(before);
  });
});

describe('a response that reads alerts and telemetry', () => {
  it('shows a new driver version in the detail of an alert', async () => {
    await fleet.import([
      gpuRecord('GPU-5', { driver_version: '550.1' }),
      alertRecord(50, { gpu_id: 'GPU-5', resource_details: {} }),
    ]);
    const driverOf = async () => {
      const { alert } = (await (await getWithToken(`/api/v1/alerts/${uuid(50)}`)).json()) as {
        alert: { resource_details: { gpu_details: { driver_version: string } } };
      };
      return alert.resource_details.gpu_details.driver_version;
    };
    expect(await driverOf()).toBe('550.1');
    await fleet.import([gpuRecord('GPU-5', { driver_version: '560.2' })]);
    expect(await driverOf()).toBe('560.2');
  });

  it('shows a new alert in the detail of a GPU and in the metrics', async () => {
    await fleet.import([gpuRecord('GPU-6'), sampleRecord('GPU-6', minutesAgo(1))]);
    const paths = ['/api/v1/gpus/GPU-6', '/api/v1/metrics'];
    const responses = () => Promise.all(paths.map(async (path) => comparable(await getWithToken(path))));
    const before = await responses();
    await fleet.import([
      alertRecord(60, { gpu_id: 'GPU-6', created_at: minutesAgo(1), severity: 'critical' }),
    ]);
    const after = await responses();
    for (const n of paths.keys()) expect(after[n]).not.toEqual(before[n]);
  });
});

describe('concurrent requests without a cached response', () => {
  const CLIENTS = 12;
  /** A read that is delayed on a shared connection runs again on one of its own. */
  const STATEMENTS_OF_A_READ = 2;
  const paths = [
    '/api/v1/alerts/?page_size=11',
    '/api/v1/alerts:summary?filter[state][equals]=active',
    '/api/v1/metrics?from=2026-01-01T00:00:00Z',
  ];

  /** Sends requests while no alert can be read, and returns how many statements waited at most. */
  const waitingStatements = async (send: () => Promise<Response>[]) => {
    let responses: Promise<Response>[] = [];
    let most = 0;
    await withoutReading(async () => {
      responses = send();
      const waiting = async () => {
        const [row] = await query<{ n: number }>(
          fleet.database.ownerUrl,
          'SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
        );
        return (row as { n: number }).n;
      };
      while ((most = Math.max(most, await waiting())) === 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      // The other requests have the time of several lookups to arrive, within the time limit of a read.
      const startMs = performance.now();
      for (let n = 0; n < 10 && performance.now() - startMs < 1_000; n++) {
        await getWithToken('/api/v1/alerts/?page_size=0');
        most = Math.max(most, await waiting());
      }
    });
    return { most, responses: await Promise.all(responses) };
  };

  it.each(paths)('%s are computed once', async (path) => {
    await getWithToken('/api/v1/alerts:summary');
    await fleet.import([alertRecord(200 + paths.indexOf(path))]);
    const { most, responses } = await waitingStatements(() =>
      Array.from({ length: CLIENTS }, () => getWithToken(path)),
    );
    expect(most).toBeLessThanOrEqual(STATEMENTS_OF_A_READ);
    const bodies = await Promise.all(responses.map(comparable));
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(bodies[0]).toMatchObject({ status: 200 });
  });

  it('are computed again for a request that arrives after a later import', async () => {
    const path = '/api/v1/alerts/?page_size=12';
    await getWithToken('/api/v1/alerts:summary');
    const first = await getWithToken(path);
    await fleet.import([alertRecord(300)]);
    const later = await Promise.all(Array.from({ length: CLIENTS }, () => getWithToken(path)));
    const bodies = await Promise.all(later.map((response) => response.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).not.toBe(await first.text());
  });

  it('do not wait for a client that left', async () => {
    const path = '/api/v1/alerts/?page_size=13';
    const leaving = new AbortController();
    const { responses } = await waitingStatements(() => {
      const left = fetch(`${fleet.running.publicUrl}${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: leaving.signal,
      }).catch(() => new Response());
      const others = Array.from({ length: 3 }, () => getWithToken(path));
      leaving.abort();
      return [left, ...others];
    });
    expect(responses.slice(1).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('is shared only by callers with the same access', async () => {
  const path = '/api/v1/alerts/?page_size=7';
  await getWithToken(path);
  const narrow = await fleet.account.token(NARROW);
  const another = await fleet.account.token(ACCESS, { userId: 2, sessionId: 'session-2' });
  for (const one of [narrow, another]) await getWithToken('/api/v1/alerts/?page_size=8', {}, one);
  const [ofNarrow, ofAnother] = await withoutReading(async () => {
    const reads = getWithToken(path, {}, narrow);
    return [reads, await comparable(await getWithToken(path, {}, another))] as const;
  });
  expect(ofAnother).toEqual(await comparable(await getWithToken(path)));
  expect((await ofNarrow).headers.get('etag')).not.toBe((await getWithToken(path)).headers.get('etag'));
});

it('is not served to a revoked token', async () => {
  const path = '/api/v1/alerts:summary?page=';
  expect((await getWithToken(path)).status).toBe(400);
  const leaving = await fleet.account.token(ACCESS, { sessionId: 'leaving' });
  expect((await getWithToken(ROUTES[0] as string, {}, leaving)).status).toBe(200);
  expect((await getWithToken(ROUTES[0] as string, {}, leaving)).status).toBe(200);
  fleet.account.revocations.push({
    kind: 'session',
    id: 'leaving',
    not_before: new Date().toISOString(),
  });
  const readings = fleet.account.feedReadings() + 2;
  while (fleet.account.feedReadings() < readings) await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await getWithToken(ROUTES[0] as string, {}, leaving)).status).toBe(401);
  expect((await getWithToken(ROUTES[0] as string, { authorization: 'Bearer invalid' })).status).toBe(401);
});

it('expires at the end of the hour, which its page token contains', async () => {
  const path = '/api/v1/alerts/?page_size=1';
  const before = await getWithToken(path);
  const inAnHour = Date.now() + HOUR_MS;
  jest.spyOn(Date, 'now').mockReturnValue(inAnHour);
  const after = await getWithToken(path);
  expect([after.status, after.headers.get('etag') === before.headers.get('etag')]).toEqual([200, false]);
  expect(await after.text()).not.toBe(await before.text());
});

it('is invalidated when the hours of a trend become days', async () => {
  // In half an hour, the open window has 72 h. The hour stays the same.
  const halfHourMs = HOUR_MS / 2;
  const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 1_000;
  const from = new Date(nowMs + halfHourMs - 72 * HOUR_MS).toISOString();
  const path = `/api/v1/alerts:severityTrend?from=${from}`;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(nowMs);
  const hours = (await getWithToken(path)).headers.get('etag');
  clock.mockReturnValue(nowMs + halfHourMs - 1);
  const stillHours = await withoutReading(() => getWithToken(path));
  expect(stillHours.headers.get('etag')).toBe(hours);
  clock.mockReturnValue(nowMs + halfHourMs + 1);
  expect((await getWithToken(path)).headers.get('etag')).not.toBe(hours);
});

/** Returns the number of responses of the summary with this status, according to the metrics. */
async function countOfSummaries(status: number): Promise<number> {
  const text = await (await fetch(`${fleet.running.managementUrl}/metrics`)).text();
  const labels = `method="GET",route="/api/v1/alerts::summary",status="${status}"`;
  const line = text
    .split('\n')
    .find((line) => line.startsWith('http_request_duration_seconds_count') && line.includes(labels));
  return Number(line?.split(' ').at(-1) ?? 0);
}

it('is the same for an escaped colon in the path, from the cache too', async () => {
  const window = 'from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z';
  for (const [path, escaped] of [
    [`/api/v1/alerts:summary?${window}`, `/api/v1/alerts%3Asummary?${window}`],
    ['/api/v1/alerts:summary/', '/api/v1/alerts%3asummary/'],
    [`/api/v1/alerts:severityTrend?${window}`, `/api/v1/alerts%3AseverityTrend?${window}`],
    [`/api/v1/alerts:severityTrend/?${window}`, `/api/v1/alerts%3aseverityTrend/?${window}`],
  ] as const) {
    const first = await getWithToken(escaped);
    const etag = first.headers.get('etag') as string;
    const built = await comparable(first);
    expect(built).toMatchObject({ status: 200 });
    await withoutReading(async () => {
      expect(await comparable(await getWithToken(path))).toEqual(built);
      expect(await comparable(await getWithToken(escaped))).toEqual(built);
      expect((await getWithToken(escaped, { 'if-none-match': etag })).status).toBe(304);
    });
  }
  const before = await countOfSummaries(200);
  await getWithToken('/api/v1/alerts%3Asummary/');
  expect(await countOfSummaries(200)).toBe(before + 1);
});

it('is counted in the metrics and has its own request id', async () => {
  const count = () => countOfSummaries(304);
  const path = '/api/v1/alerts:summary';
  const etag = (await getWithToken(path)).headers.get('etag') as string;
  const before = await count();
  const again = await getWithToken(path, { 'if-none-match': etag, 'x-request-id': 'mine-1' });
  expect([again.status, again.headers.get('x-request-id')]).toEqual([304, 'mine-1']);
  expect(await count()).toBe(before + 1);
});

it('is a 502 within 3 s when the database does not return the data version', async () => {
  const path = '/api/v1/alerts/?page_size=3';
  expect((await getWithToken(path)).status).toBe(200);
  const stopwatch = new Stopwatch();
  proxy.freeze();
  try {
    const response = await getWithToken(path);
    expect(stopwatch.milliseconds).toBeLessThan(3_000);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      502,
      'upstream_error',
    ]);
  } finally {
    stopwatch.stop();
    proxy.restore();
  }
});
