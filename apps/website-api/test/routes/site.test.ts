import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { send } from '../support/http.ts';
import { useWebsite } from '../support/website.ts';

const site = useWebsite();

const text = expect.stringMatching(/./) as string;
const identity = {
  name: 'GPU Observatory',
  description: text,
  url: 'https://site.example',
  docs_url: 'https://docs.example',
  contact: { email: 'hello@site.example' },
  when_to_use: expect.arrayContaining([text]) as string[],
};

describe('GET /api/site', () => {
  it.each(['/api/site', '/api/site/', '/api/site?'])('returns the identity at %s', async (path) => {
    const response = await site.get(path);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toEqual(identity);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
  });

  it('supports HEAD with the headers of GET', async () => {
    const get = await site.get('/api/site');
    const head = await send(site.url, '/api/site', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it.each([
    ['the entity tag', (tag: string) => tag, 304],
    ['the entity tag as weak', (tag: string) => `W/${tag}`, 304],
    ['a list with the entity tag', (tag: string) => `"other", ${tag}`, 304],
    ['a wildcard', () => '*', 304],
    ['another entity tag', () => '"other"', 200],
  ])('handles %s in If-None-Match', async (_what, ifNoneMatch, status) => {
    const { headers } = await site.get('/api/site');
    const again = await site.get('/api/site', { 'if-none-match': ifNoneMatch(headers.etag ?? '') });
    expect(again.status).toBe(status);
    expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding' });
    if (status === 304) expect(again.bytes).toHaveLength(0);
  });

  it.each([
    ['Cache-Control: no-cache', { 'cache-control': 'no-cache' }],
    ['an old If-Modified-Since', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('gives If-None-Match precedence over %s', async (_what, headers: Record<string, string>) => {
    const { headers: known } = await site.get('/api/site', headers);
    const again = await site.get('/api/site', { ...headers, 'if-none-match': known.etag ?? '' });
    expect(again.status).toBe(304);
    expect((await site.get('/api/site', headers)).status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses with %s and a separate entity tag', async (coding, decompress) => {
    const plain = await site.get('/api/site');
    const headers = { 'accept-encoding': coding };
    const compressed = await site.get('/api/site', headers);
    expect(compressed.headers['content-encoding']).toBe(coding);
    expect(compressed.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-${coding}"`);
    expect(decompress(compressed.bytes).equals(plain.bytes)).toBe(true);
  });

  it.each([
    ['?lang=en', '"lang" is'],
    ['?lang=en&page=2', '"lang", "page" are'],
    ['?filter[x]=1', '"filter[x]" is'],
    ['?__proto__=1', '"__proto__" is'],
  ])('rejects the unknown parameters in %s by name', async (query, names) => {
    const response = await send(site.url, `/api/site${query}`);
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = JSON.parse(response.text) as { detail: string };
    expect(problem).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    expect(problem.detail).toBe(`${names} not accepted. Accepted: none.`);
  });

  it.each([
    `/api/posts?${'x'.repeat(9_000)}=1`,
    `/api/site?${Array.from({ length: 1_000 }, (_u, n) => `n${n}=`).join('&')}`,
  ])('repeats only the start of long or many names', async (path) => {
    const response = await send(site.url, path);
    expect(response.status).toBe(400);
    const { detail } = JSON.parse(response.text) as { detail: string };
    expect(detail).toMatch(/x…|990 more/);
    expect(detail.length).toBeLessThan(500);
  });

  it('allows any origin without credentials', async () => {
    const response = await site.get('/api/site', { origin: 'https://anywhere.example' });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('allows custom headers in preflight requests', async () => {
    const preflight = await send(site.url, '/api/site', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'traceparent',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': expect.stringContaining('traceparent'),
      'access-control-max-age': '600',
    });
  });
});
