import type { Browser, Page } from 'playwright-core';
import { type EmptySite, startBrowser, startEmptySite } from './support/browser.ts';
import { RunningAccountService } from './support/running-account-service.ts';

/**
 * Cookie mode in a real browser, on three origins of one site: the frontend, the account service, and a page of a
 * neighbour, to whose requests the browser adds the same cookies.
 */
let browser: Browser;
let frontend: EmptySite;
let neighbour: EmptySite;
let service: RunningAccountService;
let page: Page;

beforeAll(async () => {
  [browser, frontend, neighbour] = await Promise.all([startBrowser(), startEmptySite(), startEmptySite()]);
  service = await RunningAccountService.start({
    environment: { FRONTEND_URLS: frontend.origin, ALLOWED_ORIGINS: frontend.origin },
  });
  page = await browser.newPage();
  await page.goto(`${service.url}/api/v1/auth/github?frontend_url=${frontend.origin}`);
  await page.getByText('ada@acme.example').first().click();
  await page.waitForURL(`${frontend.origin}/auth/callback?code=*`);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await Promise.all([frontend.stop(), neighbour.stop(), service.stop()]);
});

/** What a page's script gets to see of an answer; null when the browser keeps it from the page. */
async function fetchFrom(
  origin: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string } | null> {
  if (new URL(page.url()).origin !== origin) await page.goto(origin);
  return page.evaluate(
    async ([url, method, body]) => {
      try {
        const answer = await fetch(url as string, {
          method: method as string,
          credentials: 'include',
          ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
        });
        return { status: answer.status, text: await answer.text() };
      } catch {
        return null;
      }
    },
    [`${service.url}/api/v1${path}`, method, body && JSON.stringify(body)],
  );
}

test('a session in cookies, from sign-in to sign-out', async () => {
  const code = new URL(page.url()).searchParams.get('code');
  const begun = await fetchFrom(frontend.origin, 'POST', '/auth/token', {
    code,
    redirect_uri: frontend.origin,
  });
  expect(begun).toEqual({ status: 204, text: '' });

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
  expect(me).toEqual({ status: 200, text: expect.stringContaining('ada@acme.example') });
  const made = await fetchFrom(frontend.origin, 'POST', '/keys/', { name: 'rack', workspace_id: 1 });
  expect(made?.status).toBe(201);
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/refresh')).toEqual({ status: 204, text: '' });

  // The neighbour may neither read nor write, although its requests carry the cookies.
  expect(await fetchFrom(neighbour.origin, 'GET', '/me')).toBeNull();
  expect(await fetchFrom(neighbour.origin, 'POST', '/keys/', { name: 'theirs', workspace_id: 1 })).toBeNull();
  expect(await fetchFrom(neighbour.origin, 'POST', '/keys/1/rotate')).toBeNull();
  expect(await fetchFrom(neighbour.origin, 'POST', '/auth/logout')).toBeNull();
  const keys = await service.database.asOwner.query<{ name: string; updated: boolean }>({
    text: 'SELECT name, updated_at > created_at AS updated FROM account.api_keys',
  });
  expect(keys).toEqual([{ name: 'rack', updated: false }]);

  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(200);
  expect(await fetchFrom(frontend.origin, 'POST', '/auth/logout')).toEqual({ status: 204, text: '' });
  expect((await fetchFrom(frontend.origin, 'GET', '/me'))?.status).toBe(401);
  expect((await fetchFrom(frontend.origin, 'POST', '/auth/refresh'))?.status).toBe(401);
}, 60_000);
