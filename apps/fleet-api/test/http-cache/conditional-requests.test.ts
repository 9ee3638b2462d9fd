import type { Access } from '@gpu-observatory/domain-types';
import { getPage } from '../support/alert-pagination.ts';
import { waitForFullMinute, waitForFullHour } from '../support/clock.ts';
import { pathOf } from '../support/documented-requests.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { newestImport } from '../support/fleet-tables.ts';
import { alertRecord, alertStateRecord, gpuRecord, uuid } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const NARROW: Access = [{ customer_id: 1, workspace_ids: [10] }];
const ROUTES = [
  '/api/v1/alerts/',
  '/api/v1/alerts/?page_size=1',
  '/api/v1/alerts/?sort=severity&filter[title][contains]=a&customer_id=1',
  '/api/v1/alerts:summary',
  '/api/v1/alerts:severityTrend?from=2026-01-01T00:00:00Z',
  `/api/v1/alerts/${uuid(1)}`,
  `/api/v1/alerts/${uuid(1)}/timeline`,
  '/api/v1/metrics',
];
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const fleet = useFleetService({ environment: { ALLOWED_ORIGINS: 'https://app.example' } });

beforeAll(async () => {
  await waitForFullHour();
  await fleet.import([
    alertRecord(1),
    alertRecord(2),
    alertRecord(3, { customer_id: 2 }),
    gpuRecord('GPU-1'),
  ]);
});

const poll = (path: string, etag: string, access = ACCESS) =>
  fleet.get(path, access, { 'if-none-match': etag });
const tagOf = async (path: string, access = ACCESS) =>
  (await fleet.get(path, access)).headers.get('etag') as string;

describe.each(ROUTES)('%s', (path) => {
  it('returns 304 without a body for unchanged data, and the time of the newest import', async () => {
    const first = await fleet.get(path, ACCESS);
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^"[A-Za-z0-9_-]{27}(?:-gzip)?"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('x-data-as-of')).toBe(await newestImport(fleet.database.ownerUrl));
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await poll(path, header);
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('x-data-as-of')).toBe(first.headers.get('x-data-as-of'));
    }
    const same = await fleet.get(path, ACCESS);
    expect([same.headers.get('etag'), await same.text()]).toEqual([etag, await first.text()]);
  });

  it('returns 200 after an import for the caller’s customer, and only then', async () => {
    let n = 100 + ROUTES.indexOf(path) * 10;
    const before = await tagOf(path);
    await fleet.import([alertRecord(n++, { customer_id: 2 })]);
    expect((await poll(path, before)).status).toBe(304);
    await fleet.import([alertRecord(1)]); // A duplicate.
    expect((await poll(path, before)).status).toBe(304);
    await fleet.import([alertRecord(n)]);
    const after = await poll(path, before);
    expect([after.status, after.headers.get('etag') === before]).toEqual([200, false]);
    expect((await after.text()).length).toBeGreaterThan(2);
  });

  it('ignores entity tags of other responses, other accesses and unknown ones', async () => {
    const foreign = await tagOf(path, NARROW);
    const other = await tagOf(ROUTES[(ROUTES.indexOf(path) + 1) % ROUTES.length] as string);
    for (const etag of [foreign, other, '"made-up"', 'garbage', '']) {
      expect((await poll(path, etag)).status).toBe(200);
    }
  });
});

it('changes the entity tag with the state of an alert', async () => {
  const before = await tagOf(`/api/v1/alerts/${uuid(2)}`);
  await fleet.import([alertStateRecord(2, 'ignored')]);
  const after = await poll(`/api/v1/alerts/${uuid(2)}`, before);
  expect([after.status, ((await after.json()) as { alert: { state: string } }).alert.state]).toEqual([
    200,
    'ignored',
  ]);
});

it('keeps the entity tag of a later page after an import', async () => {
  const { next_page_token: token } = await getPage(fleet, { page_size: 1 });
  const path = `/api/v1/alerts/?page_size=1&page_token=${token}`;
  const first = await fleet.get(path, ACCESS);
  await fleet.import([alertRecord(50)]);
  expect((await poll(path, first.headers.get('etag') as string)).status).toBe(304);
  expect(await (await fleet.get(path, ACCESS)).text()).toBe(await first.text());
});

it('returns 404 for a foreign alert, also with an entity tag', async () => {
  const etag = await tagOf(`/api/v1/alerts/${uuid(1)}`);
  const foreign = await poll(`/api/v1/alerts/${uuid(3)}`, etag);
  expect([foreign.status, foreign.headers.get('etag')]).toEqual([404, null]);
});

it('validates the request before the entity tag', async () => {
  const etag = await tagOf('/api/v1/alerts/');
  expect((await fleet.get('/api/v1/alerts/', null, { 'if-none-match': etag })).status).toBe(401);
  expect((await poll('/api/v1/alerts/?page_size=0', etag)).status).toBe(400);
});

it('sends a weak entity tag for a GPU, which changes with an import', async () => {
  await waitForFullMinute();
  const path = '/api/v1/gpus/GPU-1';
  const { headers } = await fleet.get(path, ACCESS);
  expect(headers.get('x-data-as-of')).toMatch(RFC_3339);
  const etag = headers.get('etag') as string;
  expect(etag).toMatch(/^W\/"[A-Za-z0-9_-]{27}(?:-gzip)?"$/);
  const again = await poll(path, etag);
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  await fleet.import([alertRecord(40)]);
  expect((await poll(path, etag)).status).toBe(200);
});

it('sends strong and weak entity tags as documented', async () => {
  const { paths } = (await (await fleet.get('/openapi.json', null)).json()) as {
    paths: Record<string, { get: { responses: { 200: { headers?: { ETag: { description: string } } } } } }>;
  };
  const ids = { alerts: uuid(1), gpus: 'GPU-1', 'gpu-history': 'GPU-1', hosts: 'host-1' };
  const strengths = await Promise.all(
    Object.entries(paths).map(async ([path, { get }]) => {
      const documented = get.responses[200].headers?.ETag.description.split(';')[0];
      const etag = (await fleet.get(pathOf(path, ids), ACCESS)).headers.get('etag');
      return {
        path,
        documented,
        sent: etag === null ? undefined : etag.startsWith('W/') ? 'Weak' : 'Strong',
      };
    }),
  );
  for (const { path, documented, sent } of strengths)
    expect({ path, strength: sent }).toEqual({ path, strength: documented });
});

it.each([
  [`/api/v1/alerts/${uuid(1)}`, 304],
  [`/api/v1/alerts/${uuid(1)}/timeline`, 304],
  ['/api/v1/alerts/', 304],
  ['/api/v1/gpus/GPU-1', 304],
  [`/api/v1/alerts/${uuid(999)}`, 404],
  [`/api/v1/alerts/${uuid(3)}`, 404],
  [`/api/v1/alerts/${uuid(999)}/timeline`, 404],
  ['/api/v1/gpus/GPU-2', 404],
])('with If-None-Match: *, %s returns %i', async (path, status) => {
  expect((await poll(path, '*')).status).toBe(status);
});

it('has no X-Data-As-Of before the first import', async () => {
  const withoutImports: Access = [{ customer_id: 99, workspace_ids: 'all' }];
  const response = await fleet.get('/api/v1/alerts/', withoutImports);
  expect(response.headers.get('x-data-as-of')).toBeNull();
  expect((await poll('/api/v1/alerts/', response.headers.get('etag') as string, withoutImports)).status).toBe(
    304,
  );
});

it('allows conditional requests from scripts of an allowed origin', async () => {
  const preflight = await fetch(`${fleet.running.publicUrl}/api/v1/alerts/`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,if-none-match',
    },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('if-none-match');
  const response = await fleet.get('/api/v1/alerts/', ACCESS, { origin: 'https://app.example' });
  expect(response.headers.get('access-control-expose-headers')).toMatch(/etag.*x-data-as-of/);
});
