import type { Access } from '@gpu-observatory/domain-types';
import { useFleetService } from '../support/fleet-service.ts';
import { sendRaw } from '../support/raw-request.ts';
import { alertRecord, gpuRecord, uuid } from '../support/records.ts';

const ACCESS: Access = [
  { customer_id: 1, workspace_ids: 'all' },
  { customer_id: 2, workspace_ids: [1, 2] },
];
const ROUTES = [
  '/api/v1/alerts/',
  '/api/v1/alerts:summary',
  '/api/v1/alerts:severityTrend',
  `/api/v1/alerts/${uuid(1)}`,
  `/api/v1/alerts/${uuid(1)}/timeline`,
  '/api/v1/gpus',
  '/api/v1/gpus/GPU-1',
  '/api/v1/metrics',
];
const fleet = useFleetService();
let authorization: string;

beforeAll(async () => {
  await fleet.import([alertRecord(1), gpuRecord('GPU-1')]);
  authorization = `Bearer ${await fleet.account.token(ACCESS)}`;
});

const get = (path: string) => sendRaw(fleet.running.publicUrl, path, { headers: { authorization } });

test.each([
  ['a NUL in an id', '/api/v1/gpus/GPU-%00', 'A text in the path contains a NUL character; remove it.'],
  [
    'a NUL in a parameter',
    '/api/v1/alerts/?page_token=%00',
    'A text in the query string contains a NUL character; remove it.',
  ],
])('%s is rejected with the error envelope', async (_what, path, message) => {
  const response = await get(path);
  expect([response.status, JSON.parse(response.text)]).toEqual([400, { error: 'invalid_query', message }]);
});

test.each(['%', '%zz', '%ED%A0%80', '%FF'])('rejects a path with the undecodable %s', async (text) => {
  const response = await get(`/api/v1/gpus/GPU-${text}`);
  expect(response.status).toBe(400);
  expect(JSON.parse(response.text)).toMatchObject({ error: 'invalid_query' });
});

test.each(['%', '%zz', '%ED%A0%80', '%FF', '%E2%82', '100%25%'])(
  'rejects a parameter with the undecodable %s',
  async (text) => {
    const response = await get(`/api/v1/alerts/?page_size=5&filter[title][contains]=${text}`);
    expect([response.status, JSON.parse(response.text)]).toEqual([
      400,
      {
        error: 'invalid_query',
        message:
          'filter[title][contains] contains an escape that is not UTF-8; encode a percent sign as %25.',
      },
    ]);
  },
);

test.each([...ROUTES, '/docs', '/nowhere'])(
  '%s with a fragment is rejected and not cached',
  async (route) => {
    for (const path of [`${route}#`, `${route}#page_size=1`, `${route}?page_size=1#a`]) {
      const response = await get(path);
      expect([response.status, response.headers['cache-control'], JSON.parse(response.text)]).toEqual([
        400,
        'no-store',
        { error: 'invalid_query', message: 'The URL contains a #; encode it as %23.' },
      ]);
    }
  },
);

test.each(['100%25', '%E2%82%AC', '%F0%9F%92%A1', 'a+b?c=%26'])(
  'decodes a parameter with %s',
  async (text) => {
    expect((await get(`/api/v1/alerts/?filter[title][contains]=${text}`)).status).toBe(200);
  },
);

test.each(ROUTES)('%s rejects names of Object.prototype as parameters', async (route) => {
  for (const name of [
    'toString',
    'valueOf',
    'hasOwnProperty',
    'constructor',
    '__proto__',
    '__defineGetter__',
  ]) {
    const response = await get(`${route}?${name}=1`);
    expect([response.status, JSON.parse(response.text)]).toEqual([
      400,
      {
        error: 'invalid_query',
        message: expect.stringMatching(`^${name} is not a parameter of this endpoint; it takes `) as string,
      },
    ]);
  }
});

test.each([
  ['a name', `/api/v1/alerts/?${'x'.repeat(10_000)}=1`],
  ['the name of an undecodable parameter', `/api/v1/alerts/?${'x'.repeat(10_000)}=%`],
  ['2,000 names', `/api/v1/metrics?${Array.from({ length: 2_000 }, (_unused, n) => `n${n}=`).join('&')}`],
  ['a value', `/api/v1/alerts/?sort=${'x'.repeat(10_000)}`],
  ['a list', `/api/v1/alerts/?filter[severity][in]=${'x,'.repeat(5_000)}`],
  ['the id of an alert', `/api/v1/alerts/${'x'.repeat(9_000)}`],
  ['the id of a GPU', `/api/v1/gpus/${'x'.repeat(9_000)}`],
  ['an undecodable path', `/api/v1/gpus/${'x'.repeat(9_000)}%`],
  ['a time', `/api/v1/gpus?from=2026-01-02T00:00:00.${'0'.repeat(9_000)}Z&to=2026-01-01T00:00:00Z`],
])('an error message repeats only the start of %s', async (_what, path) => {
  const { status, text } = await get(path);
  expect([400, 404]).toContain(status);
  const { message } = JSON.parse(text) as { message: string };
  expect(message).toMatch(/(?:x|x,|0)…|1990 more/);
  expect(message.length).toBeLessThan(1_000);
});

test.each(['alerts/', 'alerts:summary', 'alerts:severityTrend', 'gpus', 'metrics'])(
  '%s: the error for a raw + in a time says to encode it',
  async (route) => {
    const names = [
      'from',
      'to',
      ...(route.startsWith('alerts') ? ['filter[timestamp][gte]', 'filter[timestamp][lte]'] : []),
    ];
    for (const name of names) {
      const response = await get(`/api/v1/${route}?${name}=2026-11-25T00:00:00+02:00`);
      expect([response.status, JSON.parse(response.text)]).toEqual([
        400,
        {
          error: 'invalid_query',
          message:
            `${name} must be given once, as an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z, ` +
            'got "2026-11-25T00:00:00 02:00"; encode the + of an offset as %2B.',
        },
      ]);
      expect((await get(`/api/v1/${route}?${name}=2026-11-25T00:00:00%2B02:00`)).status).toBe(200);
      const other = await get(`/api/v1/${route}?${name}=2026-11-25%2000:00:00Z`);
      expect([other.status, other.text.includes('%2B')]).toEqual([400, false]);
    }
  },
);

test('an id of 14,000 characters is not found', async () => {
  const gpu = await get(`/api/v1/gpus/${'a|'.repeat(7_000)}`);
  expect([gpu.status, (JSON.parse(gpu.text) as { error: string }).error]).toEqual([404, 'not_found']);
  const alert = await get(`/api/v1/alerts/${'a'.repeat(14_000)}`);
  expect([alert.status, (JSON.parse(alert.text) as { error: string }).error]).toEqual([400, 'invalid_query']);
});

test.each([
  '/api/v1',
  '/api/v1/alert',
  '/api/v1/gpus/a/b',
  '/api/v2/alerts/',
  `/api/v1/alerts/${uuid(1)}/events`,
])('%s does not exist and gets the framework’s 404', async (path) => {
  const response = await get(path);
  expect([response.status, JSON.parse(response.text)]).toEqual([
    404,
    { message: `Cannot GET ${path}`, error: 'Not Found', statusCode: 404 },
  ]);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is not a method of the API', async (method) => {
  for (const path of ROUTES) {
    const response = await sendRaw(fleet.running.publicUrl, path, { method, headers: { authorization } });
    expect([response.status, JSON.parse(response.text)]).toEqual([
      404,
      { message: `Cannot ${method} ${path}`, error: 'Not Found', statusCode: 404 },
    ]);
  }
});
