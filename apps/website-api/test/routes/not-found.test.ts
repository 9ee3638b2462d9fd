import { send } from '../support/http.ts';
import { similarPages } from '../../src/not-found/similar-pages.ts';
import { richContent } from '../support/rich-content.ts';
import { ADDRESSES, useWebsite } from '../support/website.ts';

const site = useWebsite(richContent);

const SITE_MAP = `# Not found

No page or endpoint has this URL, or it does not support this method. This site is GPU Observatory. GPU Observatory monitors GPU fleets and the AI workloads on them at run time: security alerts from hosts, containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.

## This site

- [Home](https://site.example/index.md): what the service is and its base URLs
- [Research](https://site.example/blog.md): every post, newest first
- [Developers](https://site.example/developers.md): how to get a token, first calls, errors, limits, OpenAPI documents
- [Contact](https://site.example/contact.md): email address and contact form
- [Guide](https://docs.example): user guide for people

## For agents and feed readers

- [Guidance for agents](https://site.example/agents.md): when and how to call the service
- [Index](https://site.example/llms.txt): this list with context, for agents
- [Everything in one file](https://site.example/llms-full.txt): the full text of all pages and posts
- [Feed](https://site.example/feed.xml): the newest 50 posts with their full text, as RSS 2.0
- [Sitemap](https://site.example/sitemap.xml): every page

## Website API, no credentials needed

- [Site identity](https://site.example/api/site): name, description, contact and when to use the service, as JSON
- [Posts](https://site.example/api/posts): published posts, newest first, as JSON
- [Categories](https://site.example/api/categories): with their number of posts, as JSON
- [Tags](https://site.example/api/tags): with their number of posts, as JSON
- [OpenAPI document](https://site.example/openapi.json): description of the website API, OpenAPI 3.1
- [API reference](https://site.example/docs.md): operations of the website API with parameters, fields and examples

## Fleet data API

- [API reference](https://fleet.example/docs.md): Security alerts, every GPU with its health, and fleet-wide metrics. Read-only JSON. Access: bearer token.
- [OpenAPI document](https://fleet.example/openapi.json): description of the API, OpenAPI 3.1

## Account service

- [API reference](https://account.example/docs.md): Sign-in with GitHub or Google, session tokens, workspaces and API keys for agents. Access: sign-in, then the same bearer token.
- [OpenAPI document](https://account.example/openapi.json): description of the API, OpenAPI 3.1
`;

/** Removes the section of similar pages. */
const withoutSuggestions = (text: string) => text.replace(/## Similar pages\n\n.*\n\n(?:- .*\n)+\n/, '');

describe('unknown path or method', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/nowhere/'],
    ['GET', '/nowhere?x=1'],
    ['GET', '/api'],
    ['GET', '/api/nowhere'],
    ['GET', '/api/site/more'],
    ['GET', '/API/SITE_PLACEHOLDER'],
    ['GET', '/docs/nowhere.js'],
    ['GET', '/assets/nowhere.css'],
    ['GET', '/index.html'],
    ['POST', '/api/site'],
    ['PUT', '/'],
    ['DELETE', '/api/site'],
    ['PATCH', '/openapi.json'],
    ['OPTIONS', '/api/site'],
    ['PROPFIND', '/'],
    ['GET', '/%'],
    ['GET', '/%ZZ'],
    ['GET', '/%C3%28'],
    ['GET', '/%00'],
    ['GET', '/nowhere?x=%00'],
    ['GET', '/..%2f..%2fetc%2fpasswd'],
    ['GET', '/../../etc/passwd'],
    ['GET', '/blog/nowhere'],
    ['GET', '/blog/nowhere.md'],
    ['GET', '/blog/tag/nowhere'],
    ['GET', '/blog/category/nowhere'],
    ['GET', '/blog/tag/'],
    ['GET', '/blog/everything/more'],
    ['GET', '/blog/__proto__'],
    ['GET', '/media/nowhere.png'],
    ['GET', '/media/../package.json'],
    ['GET', '/media/'],
    ['GET', '/media'],
    ['POST', '/blog'],
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
    expect(withoutSuggestions(response.text)).toBe(SITE_MAP);
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
    expect(withoutSuggestions(response.text)).toBe(SITE_MAP);
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

  it('are omitted if no page is similar', async () => {
    expect((await site.get('/wp-admin/setup.php')).text).toBe(SITE_MAP);
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
