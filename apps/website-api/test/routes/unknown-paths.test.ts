import type { RunningService } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { send } from '../support/http.ts';
import { richContent } from '../support/rich-content.ts';
import { ADDRESSES, createWebsiteDatabase, publish, runtimeUrl, startWebsite } from '../support/website.ts';

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

const SITE_MAP = `# Not found

There is nothing at this address, or it does not take this method. This is GPU Observatory. GPU Observatory watches GPU fleets and the AI workloads on them while they run: security alerts from hosts, containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.

## This site

- [Home](https://site.example/index.md): what the service is and where it answers
- [Research](https://site.example/blog.md): every post, newest first
- [Developers](https://site.example/developers.md): getting a token, first calls, errors, limits, OpenAPI documents
- [Contact](https://site.example/contact.md): how to reach people
- [Guide](https://docs.example): how to work with the service, for people

## For agents and feed readers

- [Guidance for agents](https://site.example/agents.md): when and how to call the service
- [Index](https://site.example/llms.txt): these resources with their context
- [Everything in one file](https://site.example/llms-full.txt): the whole text of all pages and posts
- [Feed](https://site.example/feed.xml): the posts as RSS 2.0, with their whole text
- [Sitemap](https://site.example/sitemap.xml): every page

## Website API, open to everyone

- [Site identity](https://site.example/api/site): name, description, contact and when to use the service, as JSON
- [Posts](https://site.example/api/posts): published posts, newest first, as JSON
- [Categories](https://site.example/api/categories): with their posts counted, as JSON
- [Tags](https://site.example/api/tags): with their posts counted, as JSON
- [OpenAPI document](https://site.example/openapi.json): the contract of the website API, OpenAPI 3.1
- [API reference](https://site.example/docs): that document as a page

## Fleet data API at https://fleet.example

- [Base URL](https://fleet.example/api/v1): Security alerts, every GPU with its health, and fleet-wide metrics. Read-only JSON. Access: bearer token.
- [OpenAPI document](https://fleet.example/openapi.json): its contract, OpenAPI 3.1
- [API reference](https://fleet.example/docs): that document as a page

## Account service at https://account.example

- [Base URL](https://account.example/api/v1): Sign-in with GitHub or Google, session tokens, workspaces and API keys for agents. Access: sign-in; then the same bearer token.
- [OpenAPI document](https://account.example/openapi.json): its contract, OpenAPI 3.1
- [API reference](https://account.example/docs): that document as a page
`;

/** The map without the pages that somebody may have meant. */
const withoutGuesses = (text: string) => text.replace(/## Perhaps you meant\n\n(?:- .*\n)+\n/, '');

describe('a path or method that does not exist', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/nowhere/'],
    ['GET', '/nowhere?x=1'],
    ['GET', '/api'],
    ['GET', '/api/nowhere'],
    ['GET', '/api/site/more'],
    ['GET', '/API/SITE'],
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
  ])('%s %s is a 404 with the site map', async (method, path) => {
    const answer = await send(website.publicUrl, path, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/./),
    });
    expect(withoutGuesses(answer.text)).toBe(SITE_MAP);
  });

  it.each([
    ['no JSON', 'application/json', '{'],
    ['another type', 'text/csv', 'a,b'],
    ['a body that is too large', 'application/json', `"${'x'.repeat(70_000)}"`],
  ])('is the same 404 when the request brings %s', async (_what, contentType, body) => {
    const answer = await send(website.publicUrl, '/nowhere', {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    expect(answer.status).toBe(404);
    expect(withoutGuesses(answer.text)).toBe(SITE_MAP);
  });

  it('answers HEAD without a body, and never 304', async () => {
    const get = await send(website.publicUrl, '/nowhere');
    const head = await send(website.publicUrl, '/nowhere', {
      method: 'HEAD',
      headers: { 'if-none-match': get.headers.etag ?? '' },
    });
    expect(head.status).toBe(404);
    expect(head.bytes).toHaveLength(0);
  });
});

describe('the pages that somebody may have meant', () => {
  it.each([
    ['/developer', 'https://site.example/developers'],
    ['/blog/everythin', 'https://site.example/blog/everything'],
    ['/2026/10/everything.html', 'https://site.example/blog/everything'],
    ['/blog/tag/fault-isolaton', 'https://site.example/blog/tag/fault-isolation'],
    ['/kontakt', 'https://site.example/contact'],
    ['/blog/every', 'https://site.example/blog/everything'],
    ['/posts/thing.html', 'https://site.example/blog/everything'],
  ])('for %s begin with %s', async (path, url) => {
    const { text } = await send(website.publicUrl, path);
    expect(/## Perhaps you meant\n\n- \[[^\]]+\]\(([^)]+)\)/.exec(text)?.[1]).toBe(url);
  });

  it('are none where nothing is alike', async () => {
    expect((await send(website.publicUrl, '/wp-admin/setup.php')).text).toBe(SITE_MAP);
  });
});

describe('the site map and the index for agents', () => {
  it.each(['/nowhere', '/llms.txt'])('%s links only to what is there', async (path) => {
    const { text } = await send(website.publicUrl, path);
    const ownPaths = [...text.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, url]) => new URL(url as string))
      .filter(({ origin }) => origin === ADDRESSES.SITE_URL)
      .map(({ pathname }) => pathname);
    expect(ownPaths.length).toBeGreaterThanOrEqual(15);
    for (const ownPath of ownPaths) {
      expect([ownPath, (await send(website.publicUrl, ownPath)).status]).toEqual([ownPath, 200]);
    }
  });
});
