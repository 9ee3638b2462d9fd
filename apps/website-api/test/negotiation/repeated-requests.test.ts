import { type HttpResponse, send } from '../support/http.ts';
import { richContent } from '../support/rich-content.ts';
import { useWebsite } from '../support/website.ts';

const site = useWebsite(richContent);

/** Strips the headers that differ per request. */
function comparable({ status, headers, bytes }: HttpResponse): unknown {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, bytes: bytes.toString('base64') };
}

/** Reads the request count of a route from the metrics. */
async function requestCount(route: string, status: number): Promise<number> {
  const { text } = await send(site.service.managementUrl, '/metrics');
  const line = text
    .split('\n')
    .find(
      (one) =>
        one.startsWith('http_request_duration_seconds_count') &&
        one.includes(`route="${route}"`) &&
        one.includes(`status="${status}"`),
    );
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('a repeated response', () => {
  it.each([
    '/',
    '/index.md',
    '/blog',
    '/blog/everything',
    '/blog/everything?utm_source=letter',
    '/blog/everything/',
    '/blog/everything.md',
    '/developers',
    '/api/site',
    '/api/posts?limit=2',
    '/api/posts/everything',
    '/feed.xml',
    '/sitemap.xml',
    '/llms.txt',
    '/robots.txt',
    '/openapi.json',
  ])('of %s has the same headers and bytes for every content type and coding', async (path) => {
    for (const headers of [
      {},
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'gzip' },
      { accept: 'text/markdown' },
      { accept: 'text/html', 'accept-encoding': 'gzip, br' },
      { origin: 'https://anywhere.example' },
    ] as Record<string, string>[]) {
      const first = await site.get(path, headers);
      const again = await site.get(path, headers);
      expect(comparable(again)).toEqual(comparable(first));
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      const { etag, vary } = first.headers;
      const unchanged = await site.get(path, { ...headers, 'if-none-match': etag ?? '' });
      expect(unchanged).toMatchObject({ status: 304, text: '', headers: { etag, vary } });
    }
  });

  it('echoes the request id and is counted in the metrics', async () => {
    await site.get('/blog/third');
    const before = await requestCount('/blog/:name', 200);
    const again = await site.get('/blog/third', { 'x-request-id': 'mine-1' });
    expect(again.headers['x-request-id']).toBe('mine-1');
    expect(await requestCount('/blog/:name', 200)).toBe(before + 1);
    const unchanged = await requestCount('/blog/:name', 304);
    await site.get('/blog/third', { 'if-none-match': again.headers.etag ?? '' });
    expect(await requestCount('/blog/:name', 304)).toBe(unchanged + 1);
  });

  it('is replaced within one second of a content change', async () => {
    await site.get('/blog/third.md');
    await site.publish({
      ...richContent,
      'posts/third.md': '---\ntitle: Another title\ndate: 2026-08-01\n---\n\nOther words.\n',
    });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await site.get('/blog/third.md')).text).toContain('Other words.');
    expect((await site.get('/blog/third.md')).text).toContain('Other words.');
  });
});
