import { useAccountService, type SessionTokens } from '../../support/running-account-service.ts';

const service = useAccountService();

const rejected = {
  title: 'Invalid Refresh Token',
  detail: 'The refresh token is unknown or expired, or its session has ended; sign in again.',
};

async function expectRejected(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual(rejected);
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as {
    sid: string;
    exp: number;
    iat: number;
    access: unknown;
  };

test('returns a new access token of the same session with the same refresh token', async () => {
  const tokens = await service.session('ada@acme.example');
  const response = await service.refresh(tokens.refresh_token);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const refreshed = (await response.json()) as SessionTokens;
  expect(refreshed).toEqual({
    access_token: expect.any(String),
    refresh_token: tokens.refresh_token,
    token_type: 'Bearer',
    expires_in: 21600,
  });
  expect(refreshed.access_token).not.toBe(tokens.access_token);
  expect(claimsOf(refreshed.access_token).sid).toBe(claimsOf(tokens.access_token).sid);
  expect((await service.get('/api/v1/me', refreshed.access_token)).status).toBe(200);
});

test('allows concurrent refreshes', async () => {
  const { refresh_token: token } = await service.session('ada@acme.example');
  const responses = await Promise.all(Array.from({ length: 30 }, () => service.refresh(token)));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
});

test('rejects an invalid refresh token', async () => {
  const { access_token: access } = await service.session('ada@acme.example');
  for (const token of ['', 'x', 'x'.repeat(43), access]) await expectRejected(await service.refresh(token));
});

test.each<[unknown, string]>([
  [{}, 'refresh_token must be a string.'],
  [{ refresh_token: null }, 'refresh_token must be a string.'],
  [
    { refresh_token: 'x', grant_type: 'refresh_token' },
    'grant_type is not accepted. Accepted: refresh_token.',
  ],
])('rejects the body %j', async (body, detail) => {
  const response = await service.post('/api/v1/auth/refresh', body);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ title: 'Invalid Request', detail });
});

test('a session ends 24 hours after sign-in, and no access token outlives it', async () => {
  const { refresh_token: token, access_token: first } = await service.session('ada@acme.example');
  const signedIn = service.clock.now().getTime();
  await service.clock.advance(6 * 3600 + 1);
  expect((await service.get('/api/v1/me', first)).status).toBe(401);
  await service.clock.advance(14 * 3600);
  const capped = (await (await service.refresh(token)).json()) as SessionTokens;
  expect(capped.expires_in).toBeGreaterThan(4 * 3600 - 30);
  expect(capped.expires_in).toBeLessThanOrEqual(4 * 3600);
  expect(claimsOf(capped.access_token).exp * 1000).toBeLessThanOrEqual(signedIn + 24 * 3600_000);
  await service.clock.advance(4 * 3600);
  await expectRejected(await service.refresh(token));
  expect((await service.get('/api/v1/me', capped.access_token)).status).toBe(401);
});

describe('a refresh reads the current state of the user', () => {
  const asOwner = (text: string) => service.database.asOwner.query({ text });

  test('the access claim follows the memberships', async () => {
    const { refresh_token: token, access_token: before } = await service.session('vera@acme.example');
    expect(claimsOf(before).access).toEqual([{ customer_id: 1, workspace_ids: [1] }]);
    await asOwner(
      `INSERT INTO account.workspace_members (workspace_id, user_id, role)
       SELECT 2, id, 'member' FROM account.users WHERE email = 'vera@acme.example'`,
    );
    const after = (await (await service.refresh(token)).json()) as SessionTokens;
    expect(claimsOf(after.access_token).access).toEqual([{ customer_id: 1, workspace_ids: [1, 2] }]);
  });

  test.each([
    [
      'a disabled user',
      'users',
      "disabled_at = now() WHERE email = 'alan@acme.example'",
      'disabled_at = NULL',
    ],
    ['an inactive customer', 'customers', 'active = false WHERE id = 1', 'active = true'],
    [
      'a sign-in method the customer no longer allows',
      'customers',
      "sign_in_methods = '{google}' WHERE id = 1",
      'sign_in_methods = NULL',
    ],
  ])('rejects %s', async (_, table, change, back) => {
    const { refresh_token: token } = await service.session('alan@acme.example');
    await asOwner(`UPDATE account.${table} SET ${change}`);
    await expectRejected(await service.refresh(token));
    await asOwner(`UPDATE account.${table} SET ${back}`);
    expect((await service.refresh(token)).status).toBe(200);
  });

  test('rejects a domain that the customer no longer has', async () => {
    const { refresh_token: token } = await service.session('grace@globex.example');
    await asOwner("DELETE FROM account.customer_domains WHERE domain = 'globex.example'");
    await expectRejected(await service.refresh(token));
  });
});
