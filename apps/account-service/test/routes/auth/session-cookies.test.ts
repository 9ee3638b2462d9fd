import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService();

const asBrowser = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      origin: FRONTEND_URL,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

test('a browser receives cookies, refreshes without a body, and signs out', async () => {
  const exchanged = await service.cookieSession('ada@acme.example');
  expect(exchanged.status).toBe(204);
  expect(exchanged.headers.get('cache-control')).toBe('no-store');
  expect(exchanged.headers.get('access-control-allow-origin')).toBe(FRONTEND_URL);
  expect(exchanged.headers.get('access-control-allow-credentials')).toBe('true');
  const cookies = exchanged.headers.getSetCookie();
  expect(cookies).toEqual([
    expect.stringMatching(/^__Host-access=[\w.-]+; Max-Age=21600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(
      /^__Host-refresh=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ]);
  expect(cookies.every((cookie) => cookie.length < 4096)).toBe(true);

  const cookie = (cookies[1] as string).split(';')[0] as string;
  const refreshed = await asBrowser('/api/v1/auth/refresh', undefined, { cookie });
  expect(refreshed.status).toBe(204);
  expect(refreshed.headers.getSetCookie()[1]).toBe(cookies[1]);
  expect((await asBrowser('/api/v1/auth/refresh', undefined)).status).toBe(401);

  const foreign = { cookie, origin: 'https://evil.example' };
  expect((await asBrowser('/api/v1/auth/refresh', undefined, foreign)).status).toBe(403);
  expect((await asBrowser('/api/v1/auth/logout', undefined, foreign)).status).toBe(403);

  const ended = await asBrowser('/api/v1/auth/logout', undefined, { cookie });
  expect(ended.status).toBe(204);
  expect(ended.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-access=; .*Path=\/; Expires=Thu, 01 Jan 1970/),
    expect.stringMatching(/^__Host-refresh=; .*Path=\/; Expires=Thu, 01 Jan 1970/),
  ]);
  expect((await asBrowser('/api/v1/auth/refresh', undefined, { cookie })).status).toBe(401);
  expect((await asBrowser('/api/v1/auth/logout', undefined, { cookie })).status).toBe(204);
  expect((await asBrowser('/api/v1/auth/logout', undefined)).status).toBe(204);
});

test.each(['https://evil.example', 'null', 'http://localhost:3000.evil.example'])(
  'denies cookies to the origin %s',
  async (origin) => {
    const response = await service.cookieSession('ada@acme.example', { origin });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('access-control-allow-origin')).not.toBe(origin);
  },
);
