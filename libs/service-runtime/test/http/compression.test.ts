import { buffer } from 'node:stream/consumers';
import { request, type IncomingHttpHeaders } from 'node:http';
import zlib, { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { matchingEtag } from '../../src/index.ts';
import { type EchoService, startEchoService } from '../support/echo-service.ts';

const DECOMPRESS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

let service: EchoService;

afterEach(() => service?.close());

/** Unlike `fetch`, neither sends `Accept-Encoding` nor decompresses by itself. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    request(`${service.url}${path}`, { method, headers }, async (response) =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes: await buffer(response),
      }),
    )
      .on('error', reject)
      .end();
  });
}

describe.each(['/text/5000', '/stream/5000', '/text/2000000', '/stream/2000000'])('%s', (path) => {
  it.each(Object.entries(DECOMPRESS))(
    'is compressed with %s, with its own entity tag',
    async (coding, decompress) => {
      service = await startEchoService();
      const plain = await get(path);
      expect(plain.headers).toMatchObject({ etag: '"1"', vary: 'Accept-Encoding' });
      expect(plain.headers['content-encoding']).toBeUndefined();
      const { status, headers, bytes } = await get(path, { 'accept-encoding': coding });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        etag: `"1-${coding}"`,
        vary: 'Accept-Encoding',
        'content-encoding': coding,
      });
      expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decompress(bytes).equals(plain.bytes)).toBe(true);
      if (path.startsWith('/text')) expect(headers['content-length']).toBe(String(bytes.length));
    },
  );
});

it.each([
  ['a short text', '/text/1000'],
  ['bytes of an unknown type', '/bytes/5000'],
  ['a response that must not be stored', '/text/5000?cache=no-store'],
])('does not compress %s', async (_what, path) => {
  service = await startEchoService();
  const { headers, bytes } = await get(path, { 'accept-encoding': 'br, gzip, zstd' });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['content-length']).toBe(String(bytes.length));
});

it('compresses nothing when it is off', async () => {
  service = await startEchoService({ config: { compressesResponses: false } });
  const { headers } = await get('/text/5000', { 'accept-encoding': 'br, gzip, zstd' });
  expect(headers).toMatchObject({ etag: '"1"', 'content-length': '5000' });
  expect(headers.vary).toBeUndefined();
});

it('has the headers of GET for HEAD', async () => {
  service = await startEchoService();
  const accept = { 'accept-encoding': 'gzip' };
  const [ofGet, ofHead] = [await get('/text/5000', accept), await get('/text/5000', accept, 'HEAD')];
  for (const name of ['content-length', 'content-encoding', 'etag', 'vary'])
    expect([name, ofHead.headers[name]]).toEqual([name, ofGet.headers[name]]);
  expect(ofHead.bytes).toHaveLength(0);
});

// A coding keeps the first bytes of a stream until it has enough of them.
it.each([
  ['identity', 0],
  ['gzip', 0],
  ['zstd', 0],
  ['zstd', 1_000],
  ['br', 0],
  ['br', 1_000],
])('with Accept-Encoding: %s, a stream that fails after %i bytes is an error', async (coding, length) => {
  service = await startEchoService();
  const { status, headers, bytes } = await get(`/failing-stream/${length}`, { 'accept-encoding': coding });
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    500,
    'application/problem+json; charset=utf-8',
    'no-store',
  ]);
  for (const name of ['content-encoding', 'content-disposition', 'etag', 'x-data-as-of'])
    expect([name, headers[name]]).toEqual([name, undefined]);
  expect(JSON.parse(bytes.toString())).toMatchObject({ status: 500 });
});

it('compresses a body that is sent again once', async () => {
  const compress = jest.spyOn(zlib, 'brotliCompress');
  service = await startEchoService();
  const accept = { 'accept-encoding': 'br' };
  const bodies = [await get('/shared', accept), await get('/shared', accept)].map(({ bytes }) => bytes);
  expect(brotliDecompressSync(bodies[0] as Buffer).toString()).toBe('text '.repeat(1_000));
  expect(bodies[1]).toEqual(bodies[0]);
  expect(compress).toHaveBeenCalledTimes(1);
});

it.each([
  ['"a"', '', '"a"'],
  ['"a"', 'br', '"a"'],
  ['"a-br"', 'br', '"a-br"'],
  ['"b", W/"a-gzip"', 'gzip', '"a-gzip"'],
  ['"a-br"', 'gzip', null],
  ['"a-br"', '', null],
  ['"b"', 'br', null],
  ['*', '', '"a"'],
])('If-None-Match: %s with Accept-Encoding: %s matches %s', (ifNoneMatch, coding, expected) => {
  const headers = { 'if-none-match': ifNoneMatch, ...(coding && { 'accept-encoding': coding }) };
  expect(matchingEtag(headers, '"a"')).toBe(expected);
});

it('keeps a weak entity tag weak', () => {
  expect(matchingEtag({ 'if-none-match': 'W/"a-br"', 'accept-encoding': 'br' }, 'W/"a"')).toBe('W/"a-br"');
});
