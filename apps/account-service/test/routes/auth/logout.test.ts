import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService({ environment: { COOKIE_DOMAIN: 'gpu.example' } });

/** Signs in with cookie mode. Returns the cookies in the format of the Cookie header. */
async function signInWithCookies(): Promise<{ access: string; refresh: string; set: string[] }> {
  const response = await service.cookieSession('ada@acme.example');
  const set = response.headers.getSetCookie();
  const [access = '', refresh = ''] = set.map((cookie) => cookie.split(';')[0] as string);
  return { access, refresh, set };
}

const post = (path: string, headers: Record<string, string>) =>
  fetch(`${service.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { origin: FRONTEND_URL, ...headers },
  });
const me = async (cookie: string) => (await service.get('/api/v1/me', undefined, { cookie })).status;

test('with a parent domain, its hosts share the access cookie but not the refresh cookie', async () => {
  const { access, set } = await signInWithCookies();
  expect(set).toEqual([
    expect.stringMatching(
      /^__Secure-access=[\w.-]+; Max-Age=21600; Domain=gpu\.example; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    expect.stringMatching(
      /^__Host-refresh=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ]);
  expect(await me(access)).toBe(200);
  expect(await me(access.replace('__Secure-', '__Host-'))).toBe(401);
});

test.each(['access', 'refresh'] as const)('the %s cookie is sufficient to end the session', async (which) => {
  const cookies = await signInWithCookies();
  expect((await post('logout', { cookie: cookies[which] })).status).toBe(204);
  await service.within2Seconds(async () => (await me(cookies.access)) === 401);
  expect((await post('refresh', { cookie: cookies.refresh })).status).toBe(401);
});

test('rejects a page of another origin', async () => {
  const { access, refresh } = await signInWithCookies();
  for (const cookie of [access, refresh, `${access}; ${refresh}`]) {
    expect((await post('logout', { cookie, origin: 'https://evil.example' })).status).toBe(403);
  }
  expect(await me(access)).toBe(200);
});

test('ignores a repeated cookie, except at sign-out', async () => {
  const mine = await signInWithCookies();
  const theirs = await signInWithCookies();
  expect(await me(`${theirs.access}; ${mine.access}`)).toBe(401);
  expect((await post('refresh', { cookie: `${theirs.refresh}; ${mine.refresh}` })).status).toBe(401);
});

test('the bearer token or a refresh token in the body ends the session, idempotently', async () => {
  const byBearer = await service.session('ada@acme.example');
  const headers = { authorization: `Bearer ${byBearer.access_token}` };
  for (let time = 0; time < 2; time += 1) expect((await post('logout', headers)).status).toBe(204);
  expect((await service.refresh(byBearer.refresh_token)).status).toBe(401);

  const byBody = await service.session('ada@acme.example');
  const body = { refresh_token: byBody.refresh_token };
  for (let time = 0; time < 2; time += 1) {
    expect((await service.post('/api/v1/auth/logout', body)).status).toBe(204);
  }
  await service.within2Seconds(
    async () => (await service.get('/api/v1/me', byBody.access_token)).status === 401,
  );
});

test('rejects an invalid access token with 401', async () => {
  expect((await post('logout', { authorization: 'Bearer x' })).status).toBe(401);
});

test.each(['Bearer x', 'Basic x', 'Bearer'])(
  'a refresh token ends its session despite an invalid "%s" header',
  async (authorization) => {
    const { refresh_token } = await service.session('ada@acme.example');
    const response = await service.post('/api/v1/auth/logout', { refresh_token }, { authorization });
    expect(response.status).toBe(204);
    expect((await service.refresh(refresh_token)).status).toBe(401);
    for (const body of [{}, { refresh_token: null }]) {
      expect((await service.post('/api/v1/auth/logout', body, { authorization })).status).toBe(401);
    }
  },
);

test('a refresh token ends its session despite an expired access token', () =>
  service.clock.withFrozenTime(async () => {
    const { access_token, refresh_token } = await service.session('ada@acme.example');
    await service.clock.advance(6 * 3600 + 1);
    const authorization = `Bearer ${access_token}`;
    expect((await post('logout', { authorization })).status).toBe(401);
    const response = await service.post('/api/v1/auth/logout', { refresh_token }, { authorization });
    expect(response.status).toBe(204);
    expect((await service.refresh(refresh_token)).status).toBe(401);
    await service.clock.advance(-6 * 3600 - 1);
  }));
