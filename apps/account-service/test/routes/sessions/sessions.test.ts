import { randomUUID } from 'node:crypto';
import { FRONTEND_URL, useAccountService } from '../../support/running-account-service.ts';

const service = useAccountService();

interface Listed {
  id: string;
  current: boolean;
}

beforeAll(() => service.session('ada@acme.example'));

const list = async (token: string) =>
  ((await (await service.get('/api/v1/sessions/', token)).json()) as { sessions: Listed[] }).sessions;

const currentId = async (token: string) => (await list(token)).find(({ current }) => current)?.id ?? '';

const end = (path: string, token?: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/v1/sessions${path}`, {
    method: 'DELETE',
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
  });

const hasEnded = async (session: { access_token: string; refresh_token: string }) => {
  await service.within2Seconds(
    async () => (await service.get('/api/v1/me', session.access_token)).status === 401,
  );
  return (await service.refresh(session.refresh_token)).status === 401;
};
const isActive = async (token: string) => (await service.get('/api/v1/me', token)).status === 200;

const vera = () => service.session('vera@acme.example');

test('lists the active sessions of the caller, newest first', async () => {
  await service.session('alan@acme.example');
  const response = await service.cookieSession('alan@acme.example', {
    'user-agent': 'a browser'.padEnd(300, '.'),
  });
  const [cookie = ''] = (response.headers.getSetCookie()[0] as string).split(';');
  const second = await service.get('/api/v1/sessions', undefined, { cookie });
  expect([second.status, second.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const common = { id: expect.any(String), method: 'github', network: '127.0.0.1' };
  const times = { signed_in_at: time, last_refreshed_at: '', expires_at: time };
  expect(await second.json()).toEqual({
    sessions: [
      { ...common, ...times, current: true, user_agent: 'a browser'.padEnd(256, '.') },
      { ...common, ...times, current: false, user_agent: expect.any(String) },
    ],
  });
});

test('leaves out ended and expired sessions, and shows the last refresh', async () => {
  const [first, second, third] = [await vera(), await vera(), await vera()];
  await service.post('/api/v1/auth/logout', { refresh_token: first.refresh_token });
  await service.database.asOwner.query({
    text: `UPDATE account.sessions SET expires_at = now() WHERE id = $1`,
    values: [await currentId(second.access_token)],
  });
  await service.refresh(third.refresh_token);
  expect(await list(third.access_token)).toEqual([
    expect.objectContaining({ current: true, last_refreshed_at: expect.stringMatching(/Z$/) }),
  ]);
  await end('', third.access_token);
});

test('ends one session and no other', async () => {
  const [mine, other] = [await vera(), await vera()];
  const id = await currentId(other.access_token);
  const response = await end(`/${id.toUpperCase()}`, mine.access_token);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(await hasEnded(other)).toBe(true);
  expect(await isActive(mine.access_token)).toBe(true);
  expect((await end(`/${id}`, mine.access_token)).status).toBe(404);
});

test('ends all sessions of the caller, and burns pending codes', async () => {
  const [mine, other, ada] = [await vera(), await vera(), await service.session('ada@acme.example')];
  const code = await service.signInForCode('vera@acme.example');
  expect((await end('/', mine.access_token)).status).toBe(204);
  for (const session of [mine, other]) expect(await hasEnded(session)).toBe(true);
  expect((await service.redeem(code)).status).toBe(401);
  expect(await isActive(ada.access_token)).toBe(true);
  const next = await vera();
  expect(await isActive(next.access_token)).toBe(true);
});

test('"sign out everywhere" also ends a session that starts or refreshes during it', async () => {
  const mine = await vera();
  const codes = await Promise.all(
    Array.from({ length: 8 }, () => service.signInForCode('vera@acme.example')),
  );
  const [ended, ...started] = await Promise.all([
    end('/', mine.access_token),
    ...codes.map((code) => service.redeem(code)),
    ...codes.map(() => service.refresh(mine.refresh_token)),
  ]);
  expect(ended?.status).toBe(204);
  const survivors = started.filter(({ status }) => status === 200).map(async (response) => response.json());
  const tokens = (await Promise.all(survivors)) as { access_token: string }[];
  for (const { access_token } of tokens) {
    await service.within2Seconds(async () => !(await isActive(access_token)));
  }
});

test.each([
  [
    'a session of another user',
    async () => currentId((await service.session('grace@globex.example')).access_token),
    404,
  ],
  ['an unknown session', () => randomUUID(), 404],
  ['an id that is no UUID', () => '1', 400],
  ['an id with a NUL', () => '%00', 400],
])('rejects ending %s', async (_, idOf, status) => {
  const { access_token: token } = await vera();
  const response = await end(`/${await idOf()}`, token);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ title: status === 404 ? 'Not Found' : 'Invalid Request' });
});

test('requires a token, and with a cookie an allowed origin; clears the cookies of an ended session', async () => {
  expect((await service.get('/api/v1/sessions')).status).toBe(401);
  for (const path of ['/', `/${randomUUID()}`]) expect((await end(path)).status).toBe(401);
  for (const path of [async () => '/', async (token: string) => `/${await currentId(token)}`]) {
    const set = (await service.cookieSession('vera@acme.example')).headers.getSetCookie();
    const [cookie = ''] = (set[0] as string).split(';');
    const target = await path(cookie.slice('__Host-access='.length));
    expect((await end(target, undefined, { cookie })).status).toBe(403);
    expect((await end(target, undefined, { cookie, origin: 'https://evil.example' })).status).toBe(403);
    const response = await end(target, undefined, { cookie, origin: FRONTEND_URL });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-access=; /),
      expect.stringMatching(/^__Host-refresh=; /),
    ]);
  }
});

test('audits each end with the session', async () => {
  const mine = await vera();
  const id = await currentId(mine.access_token);
  await end(`/${id}`, mine.access_token);
  await end('/', (await vera()).access_token);
  const events = await service.database.asOwner.query({
    text: `SELECT action, actor, detail FROM account.audit_events
            WHERE action <> 'signed_in' ORDER BY id DESC LIMIT 2`,
  });
  const [{ actor } = { actor: '' }] = events as { actor: string }[];
  expect(actor).toMatch(/^user:\d+$/);
  expect(events).toEqual([
    { action: 'signed_out_everywhere', actor, detail: {} },
    { action: 'session_ended', actor, detail: { session: id } },
  ]);
});
