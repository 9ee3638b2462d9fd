import { csvCells, parseCsv } from '@gpu-observatory/contracts/csv';
import type { Access } from '@gpu-observatory/domain-types';
import { waitForFullMinute } from '../support/clock.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';
import { errorMessageOf } from '../support/responses.ts';

const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const BOTH: Access = [...ALL, { customer_id: 2, workspace_ids: 'all' }];
const ONE_WORKSPACE: Access = [{ customer_id: 1, workspace_ids: [11] }];
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
/** More than one page of an export. */
const ALERTS = 1_100;
const GPUS = 600;
const TEXTS = ['=1+1', 'a,"b"\r\nc', '@x', '警告', 'plain'];

/** Each list, with the name of its rows. */
const LISTS: [path: string, rows: string][] = [
  ['/api/v1/alerts', 'alerts'],
  ['/api/v1/alerts/?sort=severity&filter[severity][in]=high,low', 'alerts'],
  ['/api/v1/alerts?filter[title][contains]=plain', 'alerts'],
  ['/api/v1/alerts?workspace_id=11', 'alerts'],
  ['/api/v1/alerts?customer_id=9', 'alerts'],
  ['/api/v1/alerts:search?q=plain', 'alerts'],
  ['/api/v1/hosts', 'hosts'],
  ['/api/v1/hosts?health=critical&sort=name', 'hosts'],
  ['/api/v1/gpu-status', 'gpus'],
  ['/api/v1/gpu-status?hostname=node-1&workspace_id=11', 'gpus'],
  ['/api/v1/gpus', 'gpus'],
  ['/api/v1/gpus?view=basic&workspace_id=11', 'gpus'],
  ['/api/v1/xid-incidents', 'incidents'],
  ['/api/v1/xid-incidents?code=31', 'incidents'],
  ['/api/v1/xid-incidents?group_by=host', 'groups'],
];

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import([
    ...Array.from({ length: ALERTS }, (_unused, n) =>
      alertRecord(n, {
        customer_id: n % 10 === 0 ? 2 : 1,
        workspace_id: n % 10 === 0 ? 20 : 10 + (n % 2),
        title: `${TEXTS[n % TEXTS.length]} ${n}`,
        hostname: n % 3 === 0 ? null : `node-${n % 7}`,
        severity: (['high', 'low', 'info'] as const)[n % 3],
      }),
    ),
    ...Array.from({ length: GPUS }, (_unused, n) =>
      gpuRecord(`GPU-${n}`, {
        customer_id: n % 10 === 0 ? 2 : 1,
        workspace_id: n % 10 === 0 ? 20 : 10 + (n % 2),
        hostname: `node-${n % 700}`,
        serial_no: `+${n}`,
        report_interval_seconds: 86_400,
      }),
    ),
    ...Array.from({ length: GPUS }, (_unused, n) =>
      xidRecord(`GPU-${n}`, minutesAgo(10 + n), n % 2 === 0 ? 79 : 31, { customer_id: n % 10 === 0 ? 2 : 1 }),
    ),
    sampleRecord('GPU-1', minutesAgo(5), { utilization_pct: 50, temperature_c: 60, xid_last_code: 0 }),
  ]);
});

const get = (path: string, accept: string, access = ALL, headers = {}) =>
  fleet.get(path, access, { accept, ...headers });

/** Returns the rows of all JSON pages. */
async function pagesOf(path: string, rows: string, access: Access): Promise<object[]> {
  const found: object[] = [];
  const separator = path.includes('?') ? '&' : '?';
  // Lists of GPUs and groups of incidents have no pages.
  const isPaged = !path.startsWith('/api/v1/gpus') && rows !== 'groups';
  const size = path.startsWith('/api/v1/gpus') ? '' : `${separator}page_size=1000`;
  for (let token = ''; ;) {
    const response = await fleet.get(`${path}${size}${token}`, access);
    expect(response.status).toBe(200);
    const page = (await response.json()) as Record<string, object[]> & { next_page_token?: string };
    found.push(...(page[rows] ?? []));
    if (page.next_page_token === undefined || !isPaged) return found;
    token = `&page_token=${page.next_page_token}`;
  }
}

const ndjsonRows = (body: string) =>
  body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as object);

describe.each([
  ['of a customer', ALL],
  ['of two customers', BOTH],
  ['of a workspace', ONE_WORKSPACE],
  ['without access', [] as Access],
])('for a caller %s', (_name, access) => {
  test.each(LISTS)('%s has the rows of its JSON pages', async (path, rows) => {
    await waitForFullMinute();
    const expected = await pagesOf(path, rows, access);
    const ndjson = await get(path, NDJSON, access);
    expect(ndjson.status).toBe(200);
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(ndjsonRows(await ndjson.text())).toEqual(expected);
    const csv = await get(path, CSV, access);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header = [], ...cells] = parseCsv(await csv.text());
    expect(cells).toEqual(expected.map((row) => csvCells(row, header)));
  });
});

test('an export has more rows than a page', async () => {
  const lines = async (path: string) => ndjsonRows(await (await get(path, NDJSON, BOTH)).text()).length;
  expect(await lines('/api/v1/alerts')).toBe(ALERTS);
  expect(await lines('/api/v1/gpus')).toBe(GPUS);
  expect(await lines('/api/v1/xid-incidents')).toBe(GPUS);
});

test('page_size and page_token select one page, and page_token alone that page and all later ones', async () => {
  const page = (await (await fleet.get('/api/v1/alerts?page_size=7', ALL)).json()) as {
    alerts: object[];
    next_page_token: string;
  };
  const rows = async (query: string) =>
    ndjsonRows(await (await get(`/api/v1/alerts?${query}`, NDJSON)).text());
  const all = await rows('');
  expect(await rows('page_size=7')).toEqual(page.alerts);
  const token = `page_token=${page.next_page_token}`;
  expect(await rows(`page_size=5&${token}`)).toEqual(all.slice(7, 12));
  expect(await rows(token)).toEqual(all.slice(7));
  expect(ndjsonRows(await (await get('/api/v1/gpus?page_size=3', NDJSON)).text())).toHaveLength(3);
  expect(
    ndjsonRows(await (await get('/api/v1/xid-incidents?group_by=host&page_size=2', NDJSON)).text()),
  ).toHaveLength(2);
});

test.each([
  ['page_size=0', 400, 'invalid_query'],
  ['page_token=x', 400, 'invalid_cursor'],
])('an error stays JSON: %s', async (query, status, code) => {
  const response = await get(`/api/v1/alerts?${query}`, CSV);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await errorMessageOf(response, 'listAlerts', status, code)).toMatch(/page_/);
});

test('an export needs a token', async () => {
  const response = await fleet.get('/api/v1/alerts', null, { accept: CSV });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    401,
    'application/json; charset=utf-8',
  ]);
});

test.each(['/api/v1/alerts', '/api/v1/gpus', '/api/v1/xid-incidents', '/api/v1/hosts', '/api/v1/gpu-status'])(
  'each media type of %s has entity tags of its own',
  async (path) => {
    const statusOf = async (type: string, etag: string, access = ALL) => {
      const response = await get(path, type, access, { 'if-none-match': etag });
      await response.text();
      return response.status;
    };
    /** Returns the entity tag of a type, and the status of a repeated request with it. */
    const revalidated = async (type: string) => {
      const response = await get(path, type);
      await response.text();
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      const etag = response.headers.get('etag') as string;
      return [etag, await statusOf(type, etag)] as const;
    };
    for (const type of ['application/json', CSV, NDJSON]) {
      // Some entity tags change once a minute; two minutes do not end within two repetitions.
      const [[etag, first], [, second]] = [await revalidated(type), await revalidated(type)];
      expect([first, second]).toContain(304);
      for (const other of ['application/json', CSV, NDJSON])
        if (other !== type) expect(await statusOf(other, etag)).toBe(200);
      expect(await statusOf(type, etag, ONE_WORKSPACE)).toBe(200);
    }
  },
);

test('each content coding of an export has an entity tag of its own', async () => {
  const read = async (type: string, headers: Record<string, string>) => {
    const response = await get('/api/v1/alerts', type, ALL, headers);
    await response.text();
    return response;
  };
  for (const type of [CSV, NDJSON]) {
    const etags = new Map<string, string>();
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const { headers } = await read(type, { 'accept-encoding': coding });
      expect(headers.get('content-encoding') ?? 'identity').toBe(coding);
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
      etags.set(coding, headers.get('etag') as string);
    }
    expect(new Set(etags.values()).size).toBe(4);
    for (const [coding, etag] of etags)
      for (const other of ['gzip', 'br', 'zstd']) {
        const { status } = await read(type, { 'accept-encoding': other, 'if-none-match': etag });
        // A tag without a coding is that of the same bytes before compression.
        expect([coding, other, status]).toEqual([
          coding,
          other,
          coding === other || coding === 'identity' ? 304 : 200,
        ]);
      }
  }
});

test('neither an export nor JSON comes from the cache of the other', async () => {
  for (let n = 0; n < 3; n++) {
    const json = await get('/api/v1/alerts?page_size=2', 'application/json');
    expect(((await json.json()) as { alerts: object[] }).alerts).toHaveLength(2);
    const csv = await get('/api/v1/alerts?page_size=2', CSV);
    expect(parseCsv(await csv.text())).toHaveLength(3);
    const foreign = await get('/api/v1/alerts?page_size=2', CSV, ONE_WORKSPACE);
    const [header = [], ...cells] = parseCsv(await foreign.text());
    expect(cells.map((row) => row[header.indexOf('workspace_id')])).toEqual(['11', '11']);
  }
});

test.each([
  ['application/json', null],
  ['*/*', null],
  [CSV, 'Accept'],
  [`${CSV};q=0.5, application/json`, 'Accept'],
])('the response to Accept: %s varies by %s', async (accept, vary) => {
  const response = await get('/api/v1/alerts?page_size=1', accept);
  const names = (response.headers.get('vary') ?? '').split(', ').filter((name) => name === 'Accept');
  await response.text();
  expect(names).toEqual(vary === null ? [] : [vary]);
});

test('lists without exports respond with JSON', async () => {
  for (const path of ['/api/v1/alerts:summary', '/api/v1/metrics', '/api/v1/gpus/GPU-1'])
    expect((await get(path, CSV)).headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('HEAD has the headers of the export and reads one page', async () => {
  const token = await fleet.account.token(ALL);
  const response = await fetch(`${fleet.running.publicUrl}/api/v1/alerts`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}`, accept: CSV },
  });
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/csv; charset=utf-8',
    '',
  ]);
});
