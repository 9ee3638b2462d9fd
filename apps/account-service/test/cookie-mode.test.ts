import type { Browser, Page } from 'playwright-core';
import { type EmptySite, startBrowser, startEmptySite } from './support/browser.ts';
import { RunningAccountService } from './support/running-account-service.ts';

/**
 * Both modes in a real browser: the frontend, the account service and a page of a neighbour are three origins of one
 * site, so the browser adds the same cookies to all their requests; a stranger's page is of another site.
 */
let browser: Browser;
let frontend: EmptySite;
let neighbour: EmptySite;
let strangerOrigin: string;
let service: RunningAccountService;
let page: Page;

beforeAll(async () => {
  [browser, frontend, neighbour] = await Promise.all([startBrowser(), startEmptySite(), startEmptySite()]);
  // The same server by another name is another site.
  strangerOrigin = neighbour.origin.replace('127.0.0.1', 'localhost');
  service = await RunningAccountService.start({
    environment: { FRONTEND_URLS: frontend.origin, ALLOWED_ORIGINS: frontend.origin },
  });
});

/** Signs Ada in by hand; the browser is then at the frontend's callback. */
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.goto(`${service.url}/api/v1/auth/github?frontend_url=${frontend.origin}`);
  await page.getByText('ada@acme.example').first().click();
  await page.waitForURL(`${frontend.origin}/auth/callback?code=*`);
});

afterEach(() => page.context().close());

afterAll(async () => {
  await Promise.all([browser?.close(), frontend?.stop(), neighbour?.stop(), service?.stop()]);
});

/** What a page's script gets to see of an answer; null when the browser keeps it from the page. */
async function fetchFrom(
  origin: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string } | null> {
  if (new URL(page.url()).origin !== origin) await page.goto(origin);
  return page.evaluate(
    async ({ url, body, headers, method }) => {
      try {
        const answer = await fetch(url, {
          method,
          credentials: 'include',
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body }),
        });
        return { status: answer.status, text: await answer.text() };
      } catch {
        return null;
      }
    },
    { url: `${service.url}/api/v1${path}`, method, headers, body: body && JSON.stringify(body) },
  );
}

const exchange = (origin: string, headers: Record<string, string> = {}) =>
  fetchFrom(
    origin,
    'POST',
    '/auth/token',
    { code: new URL(page.url()).searchParams.get('code'), redirect_uri: frontend.origin },
    headers,
  );

test('a session in cookies, from sign-in to sign-out', async () => {
  expect(await exchange(frontend.origin)).toMatchObject({ status: 204, text: '' });

  const cookies = (await page.context().cookies(`${service.url}/api/v1/auth`)).filter(({ name }) =>
    /access|refresh/.test(name),
  );
  expect(
    cookies.map(({ name, path, httpOnly, secure, sameSite }) => ({ name, path, httpOnly, secure, sameSite })),
  ).toEqual(
    expect.arrayContaining([
      { name: '__Host-access', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' },
      { name: '__Secure-refresh', path: '/api/v1/auth', httpOnly: true, secure: true, sameSite: 'Lax' },
    ]),
  );
  expect(await page.evaluate('document.cookie')).toBe('');

  const me = await fetchFrom(frontend.origin, 'GET', '/me');
  expect(me).toMatchObject({ status: 200, text: expect.stringContaining('ada@acme.example') });
  const made = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'rack', workspace_id: 1 });
  expect(made?.status).toBe(201);
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/refresh')).toMatchObject({ status: 204, text: '' });

  // Neither may read nor write, although the neighbour's requests carry the cookies.
  for (const origin of [neighbour.origin, strangerOrigin]) {
    expect(await fetchFrom(origin, 'GET', '/me')).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/keys/', { name: 'theirs', workspace_id: 1 })).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/keys/1/rotate')).toBeNull();
    expect(await fetchFrom(origin, 'DELETE', '/keys/1')).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/auth/refresh')).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/auth/logout')).toBeNull();
  }
  const keys = await service.database.asOwner.query<{ name: string; updated: boolean }>({
    text: 'SELECT name, updated_at > created_at AS updated FROM account.api_keys',
  });
  expect(keys).toEqual([{ name: 'rack', updated: false }]);

  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(200);
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/logout')).toMatchObject({ status: 204, text: '' });
  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(401);
  expect((await fetchFrom(frontend.origin, 'POST', '/auth/refresh'))?.status).toBe(401);
});

test('a form of another page changes nothing, although browsers send its cookies without asking', async () => {
  await exchange(frontend.origin);
  const made = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'kept', workspace_id: 1 });
  const { id } = (JSON.parse(made?.text ?? '') as { api_key: { id: number } }).api_key;
  for (const [origin, path] of [
    [neighbour.origin, `/keys/${id}/rotate`],
    [neighbour.origin, '/auth/logout'],
    [strangerOrigin, '/auth/logout'],
  ] as const) {
    await page.goto(origin);
    const action = `${service.url}/api/v1${path}`;
    const answered = page.waitForResponse(action);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('form'), { method: 'post', action: '${action}' }));
       document.forms[0].submit();`,
    );
    await page.waitForURL(action);
    // A form's body is no JSON; the stranger's request has no cookies, so there is nothing to end.
    expect((await answered).status()).toBeGreaterThanOrEqual(400);
  }
  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(200);
  const keys = await fetchFrom(frontend.origin, 'GET', '/keys/');
  expect(JSON.parse(keys?.text ?? '').api_keys).toContainEqual(
    expect.objectContaining({ id, name: 'kept', last_used_at: '' }),
  );
});

test('a session in JSON: the frontend may ask and read, and nobody else’s page', async () => {
  const json = { accept: 'application/json' };
  const begun = await exchange(frontend.origin, json);
  expect(begun?.status).toBe(200);
  const { access_token: access, refresh_token: refresh } = JSON.parse(begun?.text ?? '') as Record<
    string,
    string
  >;
  const cookies = await page.context().cookies(`${service.url}/api/v1/auth`);
  expect(cookies.filter(({ name }) => /access|refresh/.test(name))).toEqual([]);

  const bearer = { authorization: `Bearer ${access}` };
  expect(await fetchFrom(frontend.origin, 'GET', '/me', undefined, bearer)).toMatchObject({
    status: 200,
    text: expect.stringContaining('ada@acme.example'),
  });
  const made = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'json', workspace_id: 1 }, bearer);
  expect(made?.status).toBe(201);
  const refreshed = await fetchFrom(
    ...([frontend.origin, 'POST', '/auth/refresh', { refresh_token: refresh }, json] as const),
  );
  expect(refreshed?.status).toBe(200);
  // The browser asks before each of these, and is told no: not even a stolen token is of use from another page.
  for (const origin of [neighbour.origin, strangerOrigin]) {
    expect(await fetchFrom(origin, 'GET', '/me', undefined, bearer)).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/auth/refresh', { refresh_token: refresh }, json)).toBeNull();
  }
});
