import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

describe.each<[string, Record<string, string>, string]>([
  ['on one host', {}, '__Host-access'],
  ['with a parent domain', { COOKIE_DOMAIN: 'gpu.example' }, '__Secure-access'],
])('sign-out with a repeated cookie, %s', (_, environment, accessName) => {
  const service = useAccountService({ environment });

  const ada = async () => {
    const { access_token: access, refresh_token: refresh } = await service.session('ada@acme.example');
    return {
      access: `${accessName}=${access}`,
      refresh: `__Host-refresh=${refresh}`,
      refresh_token: refresh,
    };
  };
  const signOut = (...cookies: string[]) =>
    fetch(`${service.url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { origin: FRONTEND_URL, cookie: cookies.join('; ') },
    });
  const hasEnded = async (session: { refresh_token: string }) =>
    (await service.refresh(session.refresh_token)).status === 401;

  test.each<[string, (mine: { access: string; refresh: string }) => string[]]>([
    ['the access cookie, the valid one first', ({ access }) => [access, `${accessName}=x`]],
    ['the access cookie, the valid one last', ({ access }) => [`${accessName}=x`, access]],
    ['the refresh cookie, the valid one first', ({ refresh }) => [refresh, '__Host-refresh=x']],
    ['the refresh cookie, the valid one last', ({ refresh }) => ['__Host-refresh=x', refresh]],
    [
      'both, many values',
      ({ access }) => [
        ...Array.from({ length: 100 }, (_each, index) => `__Host-refresh=${index}`),
        `${accessName}=`,
        access,
        access,
      ],
    ],
  ])('ends the session: %s', async (_name, cookiesOf) => {
    const mine = await ada();
    const response = await signOut(...cookiesOf(mine));
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${accessName}=; .*Expires=Thu, 01 Jan 1970`)),
      expect.stringMatching(/^__Host-refresh=; .*Expires=Thu, 01 Jan 1970/),
    ]);
    expect(await hasEnded(mine)).toBe(true);
  });

  test('ends the session of every cookie and no other', async () => {
    const [first, second, third, other] = [await ada(), await ada(), await ada(), await ada()];
    expect((await signOut(first.access, second.access, second.refresh, third.refresh)).status).toBe(204);
    for (const session of [first, second, third]) expect(await hasEnded(session)).toBe(true);
    expect(await hasEnded(other)).toBe(false);
  });
});
