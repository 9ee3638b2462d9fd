import type { Access } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { type RawAnswer, sendRaw } from '../support/raw-request.ts';
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
const PARAMETERS = [
  'page_size',
  'page_token',
  'from',
  'to',
  'view',
  'customer_id',
  'workspace_id',
  'api_key_id',
  'sort',
  'filter[severity][in]',
  'filter[state][notEquals]',
  'filter[hostname][contains]',
  'filter[title][endsWith]',
  'filter[timestamp][lte]',
  'x',
];
/** Raw URL text: broken encodings, NUL, a lone surrogate, overlong UTF-8, and boundary numbers. */
const PIECES = [
  '%00',
  '%ED%A0%80',
  '%C0%80',
  '%FF',
  '%',
  '%zz',
  '%2',
  '%25',
  '%2F',
  '%2e%2e',
  '..',
  '|',
  '%7C',
  ';',
  "'",
  '"',
  '\\',
  '$1',
  '{',
  '[]',
  '*',
  '+',
  '&',
  '=',
  '#x',
  '?',
  '%F0%9F%8C%A1',
  'GPU-',
  '0',
  '-1',
  '1',
  '2147483648',
  '9007199254740993',
  '1e999',
  'NaN',
  '0x1',
  '2026-11-21T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '2026-11-21T00:00:00%2B14:00',
  'null',
  'undefined',
  '__proto__',
  'A'.repeat(300),
];

let fleet: FleetService;
let authorization: string;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([alertRecord(1), gpuRecord('GPU-1')]);
  authorization = `Bearer ${await fleet.account.token(ACCESS)}`;
});

afterAll(() => fleet.stop());

const get = (path: string) => sendRaw(fleet.running.publicUrl, path, { headers: { authorization } });

/** Accepts 2xx, a 4xx with the error envelope, or the framework's 404 for an unknown path. */
function expectUnharmed(response: RawAnswer, path: string): void {
  expect({ path, status: response.status, served: response.status < 500 }).toEqual({
    path,
    status: response.status,
    served: true,
  });
  const body = JSON.parse(response.text) as Record<string, unknown>;
  if (response.status === 200) return;
  const isFrameworks = response.status === 404 && 'statusCode' in body;
  if (!isFrameworks) expect(Object.keys(body)).toEqual(['error', 'message']);
}

const piece = fc.constantFrom(...PIECES);
const value = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''));

test('no query string causes a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES),
      fc.array(fc.tuple(fc.oneof(fc.constantFrom(...PARAMETERS), piece), value), { maxLength: 3 }),
      async (route, parameters) => {
        const path = `${route}?${parameters.map(([name, text]) => `${name}=${text}`).join('&')}`;
        expectUnharmed(await get(path), path);
      },
    ),
    { numRuns: 400 },
  );
});

test('no path causes a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/v1/alerts/', '/api/v1/gpus/', '/api/v1/', '/'),
      value,
      fc.constantFrom('', '/', '/timeline', '/timeline/'),
      async (prefix, text, suffix) => {
        const path = prefix + text + suffix;
        expectUnharmed(await get(path), path);
      },
    ),
    { numRuns: 300 },
  );
});

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
