import { type EchoService, startEchoService } from '../support/echo-service.ts';
import { rawRequest } from '../support/raw-request.ts';

let service: EchoService;

beforeAll(async () => {
  service = await startEchoService();
});
afterAll(() => service.close());

async function request(path: string, init?: RequestInit) {
  const response = await fetch(service.url + path, init);
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
}
const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
  request('/things', { method: 'POST', body, headers: { 'content-type': type } });

const problem = (status: number, title: string, detail: unknown) => ({
  status,
  type: 'application/problem+json; charset=utf-8',
  body: { type: 'about:blank', title, status, detail },
});
const badRequest = (detail: RegExp) => problem(400, 'Bad Request', expect.stringMatching(detail));

describe('paths', () => {
  test.each(['/things', '/things/'])(
    'work with and without a trailing slash, without a redirect: %s',
    async (path) => {
      expect(await request(path, { redirect: 'error' })).toMatchObject({ status: 200, body: { query: {} } });
    },
  );

  test.each([
    '/things:count',
    '/things:count/',
    '/things%3Acount',
    '/things%3acount/',
    '/things%3Acount?a=%3A',
  ])('may contain a colon, raw or encoded: %s', async (path) => {
    expect(await request(path)).toMatchObject({ status: 200, body: { count: 7 } });
  });

  test.each([
    ['/things/%253A', { id: '%3A' }],
    ['/things/a%3Ab?c=%253A', { id: 'a:b' }],
    ['/things?a=%253A', { query: { a: '%3A' } }],
  ])('are decoded once: %s', async (path, body) => {
    expect((await request(path)).body).toEqual(body);
  });

  test.each(['/things#', '/things#a=b', '/things?a=b#c', '/#', '/nowhere#a', '/things:count#/%ff'])(
    'must not contain a fragment, which no cache may store: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await rawRequest(service.port, [`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`]);
        expect([response.status, response.headers['cache-control']]).toEqual([400, 'no-store']);
        expect(JSON.parse(response.body)).toEqual(badRequest(/contains a #.*%23/).body);
      }
    },
  );

  test('may contain a long composite id, raw or encoded', async () => {
    const id = `host-${'x'.repeat(3_000)}|0000:3b:00.0|guest/7`;
    expect((await request(`/things/${encodeURIComponent(id)}`)).body).toEqual({ id });
    const raw = await rawRequest(service.port, [`GET /things/a|0000:3b:00.0|b HTTP/1.1\r\nHost: a\r\n\r\n`]);
    expect(JSON.parse(raw.body)).toEqual({ id: 'a|0000:3b:00.0|b' });
  });

  test.each<[string, string, RequestInit]>([
    ['an unknown path', '/nowhere?a=b', {}],
    ['a wrong method', '/things:count', { method: 'DELETE' }],
    ['an uncommon method', '/things', { method: 'PROPFIND' }],
    [
      'broken JSON',
      '/nowhere',
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
    ],
    [
      'a body of another type',
      '/nowhere',
      { method: 'POST', body: '<a/>', headers: { 'content-type': 'text/xml' } },
    ],
    ['a large body', '/nowhere', { method: 'POST', body: 'x'.repeat(100_000) }],
    ['a NUL', '/nowhere?a=%00', {}],
    ['OPTIONS', '/things', { method: 'OPTIONS' }],
    [
      'OPTIONS with a body nested too deep',
      '/things',
      {
        method: 'OPTIONS',
        body: '['.repeat(40) + ']'.repeat(40),
        headers: { 'content-type': 'application/json' },
      },
    ],
  ])("get the framework's 404 body even with other faults: %s", async (_name, path, init) => {
    const { status, body } = await request(path, init);
    expect({ status, body }).toEqual({
      status: 404,
      body: { message: `Cannot ${init.method ?? 'GET'} ${path}`, error: 'Not Found', statusCode: 404 },
    });
  });
});

describe('text', () => {
  test.each([
    ['the path', '/things/a%00b', /text in the path contains a NUL/],
    ["a parameter's value", '/things?a=%00', /text in the query string contains a NUL/],
    ["a parameter's name", '/things?%00=a', /text in the query string contains a NUL/],
    ['a repeated parameter', '/things?a=b&a=%00', /text in the query string contains a NUL/],
    ['an undecodable path', '/things/%E0%A4%A', /%E0%A4%A/],
    ['an incomplete escape', '/things/%', /not a valid url/],
  ])('rejects malformed text in %s', async (_name, path, detail) => {
    expect(await request(path)).toEqual(badRequest(detail));
  });

  test.each([
    ['a NUL', '{"a":"\\u0000"}', /the body contains a NUL/],
    ['a NUL in a name', '{"\\u0000":1}', /the body contains a NUL/],
    ['a lone surrogate', '{"a":["\\ud800"]}', /lone surrogate/],
    ['a lone surrogate in a name', '{"\\udc00":1}', /lone surrogate/],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22]), /not valid UTF-8/],
    ['an overlong surrogate', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), /not valid UTF-8/],
    ['no JSON', 'hello', /not valid JSON/],
    ['truncated JSON', '{"a":', /not valid JSON/],
    ['a prototype', '{"__proto__":{"admin":true}}', /not valid JSON/],
    ["a constructor's prototype", '{"constructor":{"prototype":{"admin":true}}}', /not valid JSON/],
  ])('rejects a body with %s', async (_name, body, detail) => {
    expect(await post(body)).toEqual(badRequest(detail));
  });

  test('accepts Unicode in paths, query strings and bodies', async () => {
    const body = { emoji: '😀', nothing: null, ключ: ['値', 1.5, false] };
    expect(await post(JSON.stringify(body))).toMatchObject({ status: 201, body: { body } });
    const path = `/things/${encodeURIComponent('ключ 😀')}?q=${encodeURIComponent('値')}`;
    expect((await request(path)).body).toEqual({ id: 'ключ 😀' });
  });

  test('keeps an undecodable parameter as is', async () => {
    expect((await request('/things?a=%ED%A0%80')).status).toBe(200);
  });
});

describe('a route that defers its input check', () => {
  const send = (query: string, body: string) =>
    request(`/deferred${query}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

  test.each([
    ['a NUL', '', '{"a":"\\u0000"}', /the body contains a NUL/],
    ['a lone surrogate', '', '{"a":"\\ud800"}', /lone surrogate/],
    ['a body nested too deep', '', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, /deeper than 32/],
    ['a NUL in the query string', '?x=%00', '{"a":1}', /the query string contains a NUL/],
  ])('treats %s as malformed', async (_name, query, body, problem) => {
    expect(await send(query, body)).toMatchObject({
      status: 201,
      body: { problem: expect.stringMatching(problem), fields: ['a'] },
    });
  });

  test.each([
    ['a well-formed body', '{"a":1}', ['a']],
    ['a prototype, as a field', '{"__proto__":{"admin":true},"a":1}', ['__proto__', 'a']],
    [
      "a constructor's prototype, as a field",
      '{"constructor":{"prototype":{"admin":true}}}',
      ['constructor'],
    ],
  ])('receives %s', async (_name, body, fields) => {
    expect(await send('', body)).toMatchObject({ status: 201, body: { problem: null, fields } });
  });

  test('receives the text of a rejected body', async () => {
    expect((await send('', '{"a":')).body).toEqual({
      text: '{"a":',
      rejection: expect.stringMatching(/not valid JSON/),
    });
  });

  test('reads at most 1 MiB', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const sendBytes = (bytes: number) =>
        request('/deferred', {
          method: 'POST',
          body: 'x'.repeat(bytes),
          headers: { 'content-type': type },
        });
      expect((await sendBytes(1_048_576)).status).toBe(201);
      expect(await sendBytes(1_048_577)).toEqual(
        problem(413, 'Content Too Large', 'Request body is too large'),
      );
    }
  });
});

describe('limits', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('a body nests at most 32 levels', async () => {
    expect((await post(nested(32))).status).toBe(201);
    expect(await post(nested(33))).toEqual(badRequest(/deeper than 32/));
    expect(await post(nested(30_000))).toEqual(badRequest(/deeper than 32/));
    expect(await post('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))).toEqual(
      badRequest(/deeper than 32/),
    );
  });

  test('a body has at most 64 KiB', async () => {
    const ofBytes = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await post(ofBytes(65_536))).status).toBe(201);
    expect(await post(ofBytes(65_537))).toEqual(
      problem(413, 'Content Too Large', 'Request body is too large'),
    );
  });

  test('a body of unknown length is cut off at 64 KiB', async () => {
    const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`;
    const head =
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { status } = await rawRequest(service.port, [head, ...Array.from({ length: 20 }, () => chunk)]);
    expect(status).toBe(413);
  });

  test('headers have at most 16 KiB', async () => {
    const response = await rawRequest(service.port, [
      `GET /things HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    ]);
    expect(response.status).toBe(431);
    expect(JSON.parse(response.body)).toEqual(
      problem(431, 'Request Header Fields Too Large', expect.stringMatching(/16 KiB/)).body,
    );
    const fits = await rawRequest(service.port, [
      `GET /things HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(15_000)}\r\n\r\n`,
    ]);
    expect(fits.status).toBe(200);
  });
});

describe('bodies', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/xml', 'application/octet-stream'])(
    'must be JSON: %s',
    async (type) => {
      expect(await post('a=b', type)).toEqual(
        problem(415, 'Unsupported Media Type', expect.stringContaining('Content-Type: application/json')),
      );
    },
  );

  test('need a content type', async () => {
    const response = await rawRequest(service.port, [
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}',
    ]);
    expect(response.status).toBe(415);
  });

  test('may be absent despite a content type', async () => {
    expect(await post('')).toMatchObject({ status: 201, body: { body: null } });
    expect(await request('/things', { method: 'POST' })).toMatchObject({ status: 201, body: { body: null } });
  });

  test('may declare their charset', async () => {
    expect(await post('{"a":1}', 'application/json; charset=utf-8')).toMatchObject({
      body: { body: { a: 1 } },
    });
  });
});

describe('invalid HTTP gets the same error format and never a 5xx', () => {
  test.each<[name: string, request: string, status?: number, title?: string]>([
    ['noise', 'hello\r\n\r\n'],
    ['an unknown method', 'BREW /things HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['an unknown version', 'GET /things HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['no Host', 'GET /things HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /things HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n'],
    ['two equal Hosts', 'GET /things HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
    ['a broken header', 'GET /things HTTP/1.1\r\nHost: a\r\nbro ken: x\r\n\r\n'],
    ['a length that is not a number', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
    ['two lengths', 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'length and chunks',
      'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an expectation',
      'GET /things HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n',
      417,
      'Expectation Failed',
    ],
    ['a path that cannot be decoded', 'GET /things/%ff HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s', async (_name, request, status = 400, title = 'Bad Request') => {
    const response = await rawRequest(service.port, [request]);
    expect(response.status).toBe(status);
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
      'x-request-id': expect.stringMatching(/^[\w.-]+$/),
    });
    expect(JSON.parse(response.body)).toMatchObject({ title, status });
  });

  test.each([
    ['a target that is not a path', 'GET *things HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['another host', 'GET http://other.example/things HTTP/1.1\r\nHost: a\r\n\r\n', 200],
    [
      'an upgrade',
      'GET /things HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    ['HTTP/1.0', 'GET /things HTTP/1.0\r\n\r\n', 200],
  ])('%s', async (_name, request, status) => {
    expect((await rawRequest(service.port, [request])).status).toBe(status);
  });
});
