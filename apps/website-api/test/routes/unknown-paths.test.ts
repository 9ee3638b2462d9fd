import type { RunningService } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { send } from '../support/http.ts';
import { ADDRESSES, createWebsiteDatabase, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  website = await startWebsite(runtimeUrl(database));
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

const SITE_MAP = `# Not found

There is nothing at this address, or it does not take this method. This is GPU Observatory. GPU Observatory watches GPU fleets and the AI workloads on them while they run: security alerts from hosts, containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.

## This site

- [Home](https://site.example/): what the service is and where it answers
- [Home in markdown](https://site.example/index.md): the same as plain text
- [Index for agents](https://site.example/llms.txt): these resources with their context
- [Guide](https://docs.example): how to work with the service, for people

## Website API, open to everyone

- [Site identity](https://site.example/api/site): name, description, contact and when to use the service, as JSON
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
    expect(answer.text).toBe(SITE_MAP);
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
    expect(answer.text).toBe(SITE_MAP);
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

describe('the site map and the index for agents', () => {
  it.each(['/nowhere', '/llms.txt'])('%s links only to what is there', async (path) => {
    const { text } = await send(website.publicUrl, path);
    const ownPaths = [...text.matchAll(/\]\(([^)]+)\)/g)]
      .map(([, url]) => new URL(url as string))
      .filter(({ origin }) => origin === ADDRESSES.SITE_URL)
      .map(({ pathname }) => pathname);
    expect(ownPaths).toHaveLength(6);
    for (const ownPath of ownPaths) {
      expect([ownPath, (await send(website.publicUrl, ownPath)).status]).toEqual([ownPath, 200]);
    }
  });
});
