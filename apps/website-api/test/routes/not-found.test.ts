import { send } from '../support/http.ts';
import { similarPages } from '../../src/not-found/similar-pages.ts';
import { richContent } from '../support/rich-content.ts';
import { ADDRESSES, useWebsite } from '../support/website.ts';

const site = useWebsite(richContent);

/** The response without similar pages; its links are checked below. */
let siteMap: string;

beforeAll(async () => {
  ({ text: siteMap } = await site.get('/wp-admin/setup.php'));
});

/** Removes the section of similar pages. */
const withoutSuggestions = (text: string) => text.replace(/## Similar pages\n\n.*\n\n(?:- .*\n)+\n/, '');

describe('unknown path or method', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/nowhere?x=1'],
    ['GET', '/api/nowhere'],
    ['GET', '/api/site/more'],
    ['GET', '/API/SITE_PLACEHOLDER'],
    ['GET', '/assets/nowhere.css'],
    ['GET', '/index.html'],
    ['POST', '/api/site'],
    ['DELETE', '/api/site'],
    ['PATCH', '/openapi.json'],
    ['OPTIONS', '/api/site'],
    ['PROPFIND', '/'],
    ['GET', '/%'],
    ['GET', '/%C3%28'],
    ['GET', '/%00'],
    ['GET', '/%zz'],
    ['GET', '/blog/%00'],
    ['GET', '/blog/tag/x%00.md'],
    ['GET', '/media/a%00.png'],
    ['GET', '/assets/site.css%00'],
    ['GET', '/sitemap-1.xml'],
    ['GET', '/sitemap-0.xml'],
    ['GET', '/nowhere?x=%00'],
    ['GET', '/..%2f..%2fetc%2fpasswd'],
    ['GET', '/../../etc/passwd'],
    ['GET', '/blog/nowhere'],
    ['GET', '/blog/nowhere.md'],
    ['GET', '/blog/tag/nowhere'],
    ['GET', '/blog/category/nowhere'],
    ['GET', '/blog/everything/more'],
    ['GET', '/blog/__proto__'],
    ['GET', '/media/nowhere.png'],
    ['GET', '/media/../package.json'],
    ['GET', '/media'],
    ['GET', '/%F0%9F%94%AD'],
    ['GET', `/${'x'.repeat(5_000)}`],
    ['GET', `/assets/${'x'.repeat(5_000)}`],
  ])('%s %s returns 404 with the site map', async (method, path) => {
    const response = await send(site.url, path, { method });
    expect(response.status).toBe(404);
    expect(response.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    });
    expect(withoutSuggestions(response.text)).toBe(siteMap);
  });

  it.each([
    ['invalid JSON', 'application/json', '{'],
    ['another content type', 'text/csv', 'a,b'],
    ['a body that is too large', 'application/json', `"${'x'.repeat(70_000)}"`],
  ])('returns the same 404 for a request with %s', async (_what, contentType, body) => {
    const response = await send(site.url, '/nowhere', {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    expect(response.status).toBe(404);
    expect(withoutSuggestions(response.text)).toBe(siteMap);
  });

  it('supports HEAD and never returns 304', async () => {
    const get = await site.get('/nowhere');
    const head = await send(site.url, '/nowhere', {
      method: 'HEAD',
      headers: { 'if-none-match': get.headers.etag ?? '' },
    });
    expect(head.status).toBe(404);
    expect(head.bytes).toHaveLength(0);
  });
});

describe('similar pages', () => {
  it.each([
    ['/developer', 'https://site.example/developers'],
    ['/blog/everythin', 'https://site.example/blog/everything'],
    ['/2026/10/everything.html', 'https://site.example/blog/everything'],
    ['/blog/tag/fault-isolaton', 'https://site.example/blog/tag/fault-isolation'],
    ['/kontakt', 'https://site.example/contact'],
    ['/blog/every', 'https://site.example/blog/everything'],
    ['/posts/thing.html', 'https://site.example/blog/everything'],
  ])('for %s start with %s', async (path, url) => {
    const { text } = await site.get(path);
    expect(/## Similar pages\n\n.*\n\n- \[[^\]]+\]\(([^)]+)\)/.exec(text)?.[1]).toBe(url);
  });

  it.each([
    ['/blog/xid-78', []],
    ['/blog/xid-79', ['/blog/xid-79-first-ten-minutes']],
    ['/blog/xid-79-first-ten-minute', ['/blog/xid-79-first-ten-minutes']],
    ['/blog/xid-first-ten-minutes', ['/blog/xid-79-first-ten-minutes']],
  ])('for %s do not include a page about another number', (path, expected) => {
    const pages = [{ path: '/blog/xid-79-first-ten-minutes', title: 'Xid 79' }];
    expect(similarPages(path, pages).map((page) => page.path)).toEqual(expected);
  });

  it('are omitted if no page is similar', () => {
    expect(siteMap).toMatch(/^# Not found\n\n.+\n\n## This site\n/);
    expect(siteMap).not.toContain('## Similar pages');
  });
});

describe('the site map and the index for agents', () => {
  it.each(['/nowhere', '/llms.txt'])('%s has no dead links', async (path) => {
    const { text } = await site.get(path);
    const ownPaths = [...text.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, url]) => new URL(url as string))
      .filter(({ origin }) => origin === ADDRESSES.SITE_URL)
      .map(({ pathname }) => pathname);
    expect(ownPaths.length).toBeGreaterThanOrEqual(15);
    for (const ownPath of ownPaths) {
      expect([ownPath, (await site.get(ownPath)).status]).toEqual([ownPath, 200]);
    }
  });
});
