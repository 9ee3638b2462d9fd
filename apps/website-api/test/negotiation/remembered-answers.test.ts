import type { TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import { type Answer, send } from '../support/http.ts';
import { richContent } from '../support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, richContent);
  website = await startWebsite(runtimeUrl(database));
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  send(website.publicUrl, path, { headers });

/** All that is not each request's own. */
function lasting({ status, headers, bytes }: Answer): unknown {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, bytes: bytes.toString('base64') };
}

/** How many requests of a route the metrics have counted. */
async function counted(route: string, status: number): Promise<number> {
  const { text } = await send(website.managementUrl, '/metrics');
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

describe('an answer that was given before', () => {
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
  ])('of %s is the same in every header and byte, in every form and coding', async (path) => {
    for (const headers of [
      {},
      { 'accept-encoding': 'br' },
      { 'accept-encoding': 'gzip' },
      { accept: 'text/markdown' },
      { accept: 'text/html', 'accept-encoding': 'gzip, br' },
      { origin: 'https://anywhere.example' },
    ] as Record<string, string>[]) {
      const first = await get(path, headers);
      const again = await get(path, headers);
      expect(lasting(again)).toEqual(lasting(first));
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
      const ifNoneMatch = { ...headers, 'if-none-match': first.headers.etag ?? '' };
      const usual = await get(path, {
        ...ifNoneMatch,
        traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      });
      const unchanged = await get(path, ifNoneMatch);
      expect(unchanged.status).toBe(304);
      expect(lasting(unchanged)).toEqual(lasting(usual));
    }
  });

  it('echoes the request id, and is counted like any other', async () => {
    await get('/blog/third');
    const before = await counted('/blog/:name', 200);
    const again = await get('/blog/third', { 'x-request-id': 'mine-1' });
    expect(again.headers['x-request-id']).toBe('mine-1');
    expect(await counted('/blog/:name', 200)).toBe(before + 1);
    const unchanged = await counted('/blog/:name', 304);
    await get('/blog/third', { 'if-none-match': again.headers.etag ?? '' });
    expect(await counted('/blog/:name', 304)).toBe(unchanged + 1);
  });

  it('is for a plain GET alone', async () => {
    await get('/blog/third');
    const head = await send(website.publicUrl, '/blog/third', { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await send(website.publicUrl, '/blog/third', { method: 'POST' })).status).toBe(404);
    const withBody = { headers: { 'content-type': 'application/json', 'content-length': '1' }, body: '{' };
    expect((await send(website.publicUrl, '/blog/third', withBody)).status).toBe(200);
  });

  it('is never one that refuses', async () => {
    for (const [path, status] of [
      ['/nowhere', 404],
      ['/api/posts?limit=0', 400],
      ['/api/posts/nothing', 404],
    ] as const) {
      expect((await get(path)).status).toBe(status);
      expect((await get(path)).status).toBe(status);
    }
  });

  it('gives way to new content within a second', async () => {
    await get('/blog/third.md');
    await publish(database, {
      ...richContent,
      'posts/third.md': '---\ntitle: Another title\ndate: 2026-08-01\n---\n\nOther words.\n',
    });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await get('/blog/third.md')).text).toContain('Other words.');
    expect((await get('/blog/third.md')).text).toContain('Other words.');
  });

  it('lets connections go while the service ends', async () => {
    await get('/blog');
    website.runtime.readiness.drain();
    expect((await get('/blog')).headers.connection).toBe('close');
  });
});
