import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService();

/** Cookies of a browser after a sign-in, in the format of the Cookie header. */
async function signIn(email: string, cookie?: string): Promise<{ access: string; refresh: string }> {
  const response = await service.cookieSession(email, cookie === undefined ? {} : { cookie });
  expect(response.status).toBe(204);
  const [access = '', refresh = ''] = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] as string);
  return { access, refresh };
}

const meStatus = async (cookie: string) => (await service.get('/api/v1/me', undefined, { cookie })).status;
const refreshStatus = async (cookie: string) =>
  (await service.post('/api/v1/auth/refresh', undefined, { accept: '*/*', origin: FRONTEND_URL, cookie }))
    .status;

test.each([
  ['both cookies', 'ada@acme.example', ({ access, refresh }: Cookies) => `${access}; ${refresh}`],
  ['the access cookie', 'ada@acme.example', ({ access }: Cookies) => access],
  ['the refresh cookie', 'ada@acme.example', ({ refresh }: Cookies) => refresh],
  ['the session of another user', 'grace@globex.example', ({ refresh }: Cookies) => refresh],
])('a sign-in ends the session that it replaces: %s', async (_, email, held) => {
  const replaced = await signIn(email);
  const elsewhere = await signIn('ada@acme.example');
  const current = await signIn('ada@acme.example', held(replaced));
  await service.within2Seconds(async () => (await meStatus(replaced.access)) === 401);
  expect(await refreshStatus(replaced.refresh)).toBe(401);
  for (const { access, refresh } of [current, elsewhere]) {
    expect([await meStatus(access), await refreshStatus(refresh)]).toEqual([200, 204]);
  }
  const [audited] = await service.database.asOwner.query<{
    end_reason: string;
    actor: string;
    email: string;
  }>({
    text: `SELECT sessions.end_reason, audit_events.actor = 'user:' || users.id AS by_owner, users.email
             FROM account.audit_events
             JOIN account.sessions ON sessions.id = (audit_events.detail->>'session')::uuid
             JOIN account.users ON users.id = sessions.user_id
            WHERE action = 'session_replaced' ORDER BY audit_events.id DESC LIMIT 1`,
  });
  expect(audited).toEqual({ end_reason: 'session replaced', by_owner: true, email });
});

type Cookies = { access: string; refresh: string };

test('a failed exchange or one in JSON mode ends no session', async () => {
  const { access, refresh } = await signIn('ada@acme.example');
  const cookie = `${access}; ${refresh}`;
  const body = { code: await service.signInForCode('ada@acme.example'), redirect_uri: FRONTEND_URL };
  const cookieMode = { accept: '*/*', origin: FRONTEND_URL, cookie };
  expect((await service.post('/api/v1/auth/token', body, cookieMode)).status).toBe(401);
  const json = { ...body, code: await service.signInForCode('ada@acme.example') };
  expect((await service.post('/api/v1/auth/token', json, { origin: FRONTEND_URL, cookie })).status).toBe(200);
  expect(await refreshStatus(refresh)).toBe(204);
});

test('concurrent sign-ins with the same cookies all succeed', async () => {
  const { access, refresh } = await signIn('ada@acme.example');
  const sessions = await Promise.all(
    Array.from({ length: 4 }, () => signIn('ada@acme.example', `${access}; ${refresh}`)),
  );
  for (const session of sessions) expect(await refreshStatus(session.refresh)).toBe(204);
  expect(await refreshStatus(refresh)).toBe(401);
});
