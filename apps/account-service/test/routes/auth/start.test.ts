import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';
import { beginSignIn } from '../../support/partial-sign-in.ts';

const service = useAccountService();

const start = (query: string, provider = 'github') => service.get(`/api/v1/auth/${provider}${query}`);

test('redirects to the provider with state, PKCE S256 and the callback URL', async () => {
  for (const [provider, endpoint] of [
    ['github', service.provider.github.authorizationUrl],
    ['google', service.provider.google.authorizationUrl],
  ] as const) {
    const { authorizationUrl } = await beginSignIn(service, provider);
    expect(`${authorizationUrl.origin}${authorizationUrl.pathname}`).toBe(endpoint);
    expect(Object.fromEntries(authorizationUrl.searchParams)).toEqual({
      client_id: `${provider}-client`,
      response_type: 'code',
      redirect_uri: `${service.url}/api/v1/auth/${provider}/callback`,
      scope: provider === 'github' ? 'read:user,user:email' : 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'select_account',
    });
  }
});

test('sets a browser secret in a __Host- cookie, shared by tabs', async () => {
  const response = await start(`?frontend_url=${FRONTEND_URL}`);
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Host-sign-in=[\w-]{43}; Max-Age=660; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const first = await beginSignIn(service);
  const second = await beginSignIn(service, 'google', first.cookie);
  expect(second.cookie).toBe(first.cookie);
  expect(second.state).not.toBe(first.state);
  expect((await beginSignIn(service, 'github', '__Host-sign-in=chosen')).cookie).not.toBe(
    '__Host-sign-in=chosen',
  );
});

test('shows an error as a page to a browser', async () => {
  const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const query = `?frontend_url=${encodeURIComponent('https://evil.example/<b>')}`;
  const inBrowser = (accept: string) =>
    fetch(`${service.url}/api/v1/auth/github${query}`, { headers: { accept }, redirect: 'manual' });
  const response = await inBrowser(browserAccept);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const page = await response.text();
  expect(page).toContain('<h1>The sign-in cannot continue</h1>');
  expect(page).toContain('</strong> frontend_url must occur once and exactly match one of the URLs');
  expect(page).not.toContain('evil');
  expect(await (await inBrowser(`${browserAccept},application/json`)).json()).toMatchObject({
    title: 'Invalid Frontend URL',
  });
});

test.each(['github', 'google'])('HEAD of %s starts no sign-in', async (provider) => {
  const rows = () =>
    service.database.asOwner.query({ text: 'SELECT count(*) AS count FROM account.sign_in_attempts' });
  const before = await rows();
  const url = `${service.url}/api/v1/auth/${provider}?frontend_url=${FRONTEND_URL}`;
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual' });
  expect(response.status).toBe(204);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(await rows()).toEqual(before);
});
