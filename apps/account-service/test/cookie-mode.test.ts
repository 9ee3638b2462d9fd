import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '@gpu-observatory/testing/browser';
import { type EmptySite, startEmptySite } from './support/empty-site.ts';
import { RunningAccountService } from './support/running-account-service.ts';

/**
 * Both session modes in a real browser. The frontend, the service and a neighbor page are three origins of one site, so
 * the browser sends the same cookies with all of their requests. The foreign page is of another site.
 */
let browser: Browser;
let frontend: EmptySite;
let neighbor: EmptySite;
let foreignOrigin: string;
let service: RunningAccountService;
let page: Page;

beforeAll(async () => {
  [browser, frontend, neighbor] = await Promise.all([openBrowser(), startEmptySite(), startEmptySite()]);
  // The same server under another host name is another site.
  foreignOrigin = neighbor.origin.replace('127.0.0.1', 'localhost');
  service = await RunningAccountService.start({
    environment: { FRONTEND_URLS: frontend.origin, ALLOWED_ORIGINS: frontend.origin },
  });
});

/** Signs Ada in by clicking; the browser ends at the frontend callback. */
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.goto(`${service.url}/api/v1/auth/github?frontend_url=${frontend.origin}`);
  await page.getByText('ada@acme.example').first().click();
  await page.waitForURL(`${frontend.origin}/auth/callback?code=*`);
});

afterEach(() => page.context().close());

afterAll(async () => {
  await Promise.all([browser?.close(), frontend?.stop(), neighbor?.stop(), service?.stop()]);
});

/** Sends a request from a page script. Returns null when the browser hides the response from the page. */
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
        const response = await fetch(url, {
          method,
          credentials: 'include',
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body }),
        });
        return { status: response.status, text: await response.text() };
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

test('cookie mode works from sign-in to sign-out', async () => {
  expect(await exchange(frontend.origin)).toMatchObject({ status: 204, text: '' });

  const cookies = (await page.context().cookies(`${service.url}/api/v1/auth`)).filter(({ name }) =>
    /access|refresh/.test(name),
  );
  expect(
    cookies.map(({ name, path, httpOnly, secure, sameSite }) => ({ name, path, httpOnly, secure, sameSite })),
  ).toEqual(
    expect.arrayContaining([
      { name: '__Host-access', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' },
      { name: '__Host-refresh', path: '/', httpOnly: true, secure: true, sameSite: 'Strict' },
    ]),
  );
  expect(await page.evaluate('document.cookie')).toBe('');

  const me = await fetchFrom(frontend.origin, 'GET', '/me');
  expect(me).toMatchObject({ status: 200, text: expect.stringContaining('ada@acme.example') });
  const created = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'rack', workspace_id: 1 });
  expect(created?.status).toBe(201);
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/refresh')).toMatchObject({ status: 204, text: '' });

  // Other pages can neither read nor write, although requests of the neighbor carry the cookies.
  for (const origin of [neighbor.origin, foreignOrigin]) {
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

test('a page of a sibling host cannot set a refresh cookie', async () => {
  await exchange(frontend.origin);
  await page.goto(neighbor.origin);
  await page.evaluate(
    `for (const name of ['__Host-refresh', '__Secure-refresh'])
       for (const path of ['/', '/api/v1/auth', '/api/v1/auth/refresh'])
         document.cookie = name + '=planted; Secure; Path=' + path;`,
  );
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/refresh')).toMatchObject({ status: 204 });
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/logout')).toMatchObject({ status: 204 });
  expect((await fetchFrom(frontend.origin, 'POST', '/auth/refresh'))?.status).toBe(401);
});

test('rejects form posts from other pages, which browsers send with cookies and without a preflight', async () => {
  await exchange(frontend.origin);
  const created = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'kept', workspace_id: 1 });
  const { id } = (JSON.parse(created?.text ?? '') as { api_key: { id: number } }).api_key;
  for (const [origin, path] of [
    [neighbor.origin, `/keys/${id}/rotate`],
    [neighbor.origin, '/auth/logout'],
    [foreignOrigin, '/auth/logout'],
  ] as const) {
    await page.goto(origin);
    const action = `${service.url}/api/v1${path}`;
    const formResponse = page.waitForResponse(action);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('form'), { method: 'post', action: '${action}' }));
       document.forms[0].submit();`,
    );
    await page.waitForURL(action);
    // A form body is not JSON. The foreign request has no cookies, so there is no session to end.
    expect((await formResponse).status()).toBeGreaterThanOrEqual(400);
  }
  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(200);
  const keys = await fetchFrom(frontend.origin, 'GET', '/keys/');
  expect(JSON.parse(keys?.text ?? '').api_keys).toContainEqual(
    expect.objectContaining({ id, name: 'kept', last_used_at: '' }),
  );
});

test('JSON mode works for the frontend and for no other page', async () => {
  const json = { accept: 'application/json' };
  const exchanged = await exchange(frontend.origin, json);
  expect(exchanged?.status).toBe(200);
  const { access_token: access, refresh_token: refresh } = JSON.parse(exchanged?.text ?? '') as Record<
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
  const created = await fetchFrom(
    frontend.origin,
    'POST',
    '/keys/',
    { name: 'json', workspace_id: 1 },
    bearer,
  );
  expect(created?.status).toBe(201);
  const refreshed = await fetchFrom(
    ...([frontend.origin, 'POST', '/auth/refresh', { refresh_token: refresh }, json] as const),
  );
  expect(refreshed?.status).toBe(200);
  // The preflight fails for other pages, so even a stolen token is useless there.
  for (const origin of [neighbor.origin, foreignOrigin]) {
    expect(await fetchFrom(origin, 'GET', '/me', undefined, bearer)).toBeNull();
    expect(await fetchFrom(origin, 'POST', '/auth/refresh', { refresh_token: refresh }, json)).toBeNull();
  }
});
