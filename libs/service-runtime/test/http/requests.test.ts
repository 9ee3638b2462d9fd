import { createManagementServer } from '../../src/monitoring.ts';
import { fleetEnvelope } from '../../src/process.ts';
import { type EchoService, startEchoService } from '../support/echo-service.ts';
import { rawRequest } from '../support/raw-request.ts';

const ORIGIN = 'https://app.example';
let service: EchoService;

beforeAll(async () => {
  service = await startEchoService({
    envelope: fleetEnvelope,
    config: { trustedProxies: ['127.0.0.0/8'], allowedOrigins: [ORIGIN] },
  });
});
beforeEach(() => {
  service.lines.length = 0;
});
afterAll(() => service.close());

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(service.url + path, { headers, method });

describe('the request id', () => {
  test.each(['a', 'A-Za.z_0-9', 'x'.repeat(128)])('is kept if valid: %s', async (id) => {
    expect((await send('/things', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    expect(service.lines).toMatchObject([{ request_id: id, msg: 'request' }]);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a/b', 'a"b', '<a>'])('is generated if invalid: %s', async (id) => {
    const response = await send('/things', { 'x-request-id': id });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['/fails', 'GET', 500],
    ['/nowhere', 'GET', 404],
    ['/%E0%A4%A', 'GET', 400],
    ['/things?a=%00', 'GET', 400],
    ['/things', 'OPTIONS', 404],
  ])('is on every response: %s %s', async (path, method, status) => {
    const response = await send(path, { 'x-request-id': 'mine' }, method);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([status, 'mine']);
  });

  test('is in the log line of an error; the response has no detail', async () => {
    const response = await send('/fails', { 'x-request-id': 'mine' });
    expect(await response.json()).toEqual({
      error: 'internal_server_error',
      message: 'Unexpected server error.',
    });
    expect(service.lines).toMatchObject([
      { request_id: 'mine', level: 'error', err: { message: 'internal detail' } },
      { request_id: 'mine', level: 'info', status: 500, route: '/fails', method: 'GET' },
    ]);
  });
});

describe('traceparent', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';

  test('adds the trace id to every log line', async () => {
    await send('/who', { traceparent: `00-${trace}-b7ad6b7169203331-01` });
    expect(service.lines).toMatchObject([{ trace_id: trace }]);
  });

  test.each([
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-b7ad6b7169203331-01`,
    `ff-${trace}-b7ad6b7169203331-01`,
    `00-${trace}-b7ad6b7169203331`,
    'nonsense',
  ])('is ignored when malformed: %s', async (traceparent) => {
    await send('/who', { traceparent });
    expect(service.lines).toHaveLength(1);
    expect(service.lines[0]).not.toHaveProperty('trace_id');
  });
});

test.each(['/things', '/nowhere', '/fails', '/things?a=%00'])('has security headers: %s', async (path) => {
  const { headers } = await send(path);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
});

describe('CORS', () => {
  const preflight = {
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };

  test('lets an allowed origin read responses with credentials, errors too', async () => {
    for (const path of ['/things', '/nowhere', '/fails', '/things?a=%00']) {
      const { headers } = await send(path, { origin: ORIGIN });
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(headers.get('vary')).toMatch(/origin/i);
    }
  });

  test.each(['https://evil.example', `${ORIGIN}.evil.example`, 'http://app.example', 'null'])(
    'denies other origins: %s',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await send('/things', { origin, ...(method === 'OPTIONS' && preflight) }, method);
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('vary')).toMatch(/origin/i);
      }
    },
  );

  const long = 'x'.repeat(17_000);
  const rejected: [name: string, startLine: string, header: string, status: number, code: string][] = [
    [
      'headers over the limit',
      'GET /things HTTP/1.1',
      `X-Long: ${long}`,
      431,
      'request_header_fields_too_large',
    ],
    [
      'a URL over the limit',
      `GET /things?a=${long} HTTP/1.1`,
      'X: y',
      431,
      'request_header_fields_too_large',
    ],
    ['invalid HTTP', 'GET /things HTTP/1.1', 'bro ken: x', 400, 'invalid_query'],
    ['an unknown Expect', 'GET /things HTTP/1.1', 'Expect: miracles', 417, 'expectation_failed'],
    ['a fragment', 'GET /things#a HTTP/1.1', 'X: y', 400, 'invalid_query'],
    ['a path that cannot be decoded', 'GET /things/%ff HTTP/1.1', 'X: y', 400, 'invalid_query'],
  ];
  const sendRaw = (port: number, startLine: string, header: string, origin: string) =>
    rawRequest(port, [`${startLine}\r\nHost: a\r\nOrigin: ${origin}\r\n${header}\r\n\r\n`]);

  test.each(rejected)(
    'lets an allowed origin read the error of a request that reaches no route: %s',
    async (_name, startLine, header, status, code) => {
      const response = await sendRaw(service.port, startLine, header, ORIGIN);
      expect([response.status, JSON.parse(response.body)]).toEqual([
        status,
        { error: code, message: expect.any(String) as string },
      ]);
      expect(response.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': expect.stringContaining('x-request-id') as string,
        vary: 'Origin',
      });
      const other = await sendRaw(service.port, startLine, header, `${ORIGIN}.evil.example`);
      expect([other.status, other.headers['access-control-allow-origin']]).toEqual([status, undefined]);
      expect(other.headers['vary']).toBe('Origin');
    },
  );

  test('lets any origin read the errors of public content', async () => {
    const website = await startEchoService({ corsOrigins: 'any' });
    try {
      for (const [, startLine, header, status] of rejected) {
        const response = await sendRaw(website.port, startLine, header, 'https://other.example');
        expect([response.status, response.headers['access-control-allow-origin']]).toEqual([status, '*']);
        expect(response.headers['access-control-allow-credentials']).toBeUndefined();
      }
    } finally {
      await website.close();
    }
  });

  test('responds to a preflight, which may be cached', async () => {
    const response = await send('/things', { origin: ORIGIN, ...preflight }, 'OPTIONS');
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });
});

test('takes the client address from a trusted proxy', async () => {
  const ip = async (forwarded: string) =>
    ((await (await send('/who', { 'x-forwarded-for': forwarded })).json()) as { ip: string }).ip;
  expect(await ip('203.0.113.7')).toBe('203.0.113.7');
  expect(await ip('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(await ip('203.0.113.7, 127.0.0.2')).toBe('203.0.113.7');
});

test('ignores X-Forwarded-For without trusted proxies', async () => {
  const direct = await startEchoService();
  try {
    const response = await fetch(`${direct.url}/who`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(await response.json()).toMatchObject({ ip: '127.0.0.1' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  } finally {
    await direct.close();
  }
});

test('the management port serves liveness, readiness and request metrics', async () => {
  const watched = await startEchoService();
  let problem: string | null = null;
  watched.readiness.register('database', () => problem);
  const management = createManagementServer(watched.readiness, watched.metrics);
  const get = async (path: string) => {
    const response = await management.inject(path);
    return [response.statusCode, response.body] as const;
  };
  try {
    await fetch(`${watched.url}/things/7`);
    await fetch(`${watched.url}/nowhere/8`);
    expect(await get('/livez')).toEqual([200, '{"alive":true}']);
    expect(await get('/readyz')).toEqual([200, '{"ready":true,"checks":{"lifecycle":"ok","database":"ok"}}']);
    problem = 'the database is unavailable';
    expect(await get('/readyz')).toEqual([
      503,
      '{"ready":false,"checks":{"lifecycle":"ok","database":"the database is unavailable"}}',
    ]);
    expect(await get('/livez')).toEqual([200, '{"alive":true}']);
    problem = null;
    watched.readiness.drain();
    expect(await get('/readyz')).toEqual([503, expect.stringContaining('"lifecycle":"draining"')]);
    const [status, text] = await get('/metrics');
    expect(status).toBe(200);
    const counted = (route: string, code: number) =>
      `http_request_duration_seconds_count{service="echo",method="GET",route="${route}",status="${code}"} 1`;
    expect(text).toContain(counted('/things/:id', 200));
    expect(text).toContain(counted('unknown', 404));
    expect(text).not.toContain('/nowhere/8');
    const response = await fetch(`${watched.url}/things`);
    expect(response.headers.get('connection')).toBe('close');
  } finally {
    await management.close();
    await watched.close();
  }
});
