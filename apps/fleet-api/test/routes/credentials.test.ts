import type { Access } from '@gpu-observatory/domain-types';
import { refusalOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { uuid } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const ROUTES: [path: string, operationId: string][] = [
  ['/api/v1/alerts/', 'listAlerts'],
  ['/api/v1/alerts', 'listAlerts'],
  [`/api/v1/alerts/${uuid(1)}`, 'getAlert'],
  [`/api/v1/alerts/${uuid(1)}/timeline`, 'listTimelineEvents'],
  ['/api/v1/gpus', 'listGpus'],
  ['/api/v1/gpus/GPU-1', 'getGpu'],
  ['/api/v1/metrics', 'getMetrics'],
];
const MISSING = 'Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".';
const INVALID = 'The access token is not valid, has expired or was revoked.';

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
});

afterAll(() => fleet.stop());

const withHeader = (authorization: string, path = '/api/v1/alerts/') =>
  fleet.get(path, null, { authorization });

it.each(ROUTES)('%s refuses who shows no token', async (path, operationId) => {
  const answer = await fleet.get(path, null);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b(?!.*error=)/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await refusalOf(answer, operationId, 401, 'unauthorized')).toBe(MISSING);
});

it.each(ROUTES)(
  '%s refuses a token of nobody, before anything else that is wrong',
  async (path, operationId) => {
    const answer = await withHeader('Bearer abc.def.ghi', `${path}?page_size=0&unknown=1`);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    expect(await refusalOf(answer, operationId, 401, 'unauthorized')).toBe(INVALID);
  },
);

it.each([
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Token abc',
  'Bearer a b',
  'abc.def.ghi',
  'Bearer,abc',
  'Bearer\tabc',
])('takes %p for no bearer token', async (header) => {
  expect(await refusalOf(await withHeader(header), 'listAlerts', 401, 'unauthorized')).toBe(MISSING);
});

it('refuses tokens that are expired, of another issuer, for another audience, or changed', async () => {
  const tokens = await Promise.all([
    fleet.account.token(ACCESS, { expires: Math.floor(Date.now() / 1000) - 1 }),
    fleet.account.token(ACCESS, { issuer: 'https://account.example' }),
    fleet.account.token(ACCESS, { audience: 'another-service' }),
    fleet.account.token(ACCESS).then((token) => `${token.slice(0, -4)}AAAA`),
    fleet.account.token([{ customer_id: 0, workspace_ids: 'all' }]),
    fleet.account.token('everything' as never),
  ]);
  for (const token of tokens) {
    const answer = await withHeader(`Bearer ${token}`);
    expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  }
});

it('takes the scheme in any case', async () => {
  const token = await fleet.account.token(ACCESS);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await withHeader(`${scheme} ${token}`)).status).toBe(200);
  }
});

it('stops taking a token once it has expired, though it knew it', async () => {
  const expires = Math.floor(Date.now() / 1000) + 5;
  const token = await fleet.account.token(ACCESS, { expires });
  expect((await withHeader(`Bearer ${token}`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, expires * 1000 + 100 - Date.now()));
  expect((await withHeader(`Bearer ${token}`)).status).toBe(401);
});

it('refuses a session within 2 s of its revocation, and no other', async () => {
  const [ended, living] = await Promise.all([
    fleet.account.token(ACCESS, { sessionId: 'session-ended' }),
    fleet.account.token(ACCESS, { sessionId: 'session-living' }),
  ]);
  expect((await withHeader(`Bearer ${ended}`)).status).toBe(200);
  fleet.account.revocations.push({
    kind: 'session',
    id: 'session-ended',
    not_before: new Date().toISOString(),
  });
  const deadline = Date.now() + 2_000;
  const ask = () => withHeader(`Bearer ${ended}`);
  while (Date.now() < deadline && (await ask()).status === 200) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await refusalOf(await ask(), 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  expect((await withHeader(`Bearer ${living}`)).status).toBe(200);
});

describe('the access cookie', () => {
  const NAME = '__Host-access';
  const withCookie = (cookie: string, headers: Record<string, string> = {}) =>
    fleet.get('/api/v1/alerts/', null, { cookie, ...headers });

  it('stands in for the header, and the answer is no shared cache’s', async () => {
    const token = await fleet.account.token(ACCESS);
    for (const path of ['/api/v1/alerts/', '/api/v1/gpus']) {
      const answer = await fleet.get(path, null, { cookie: `theme=dark; ${NAME}=${token}` });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    }
  });

  it('comes after the header, whatever is in that', async () => {
    const token = await fleet.account.token(ACCESS);
    const answer = await withCookie(`${NAME}=${token}`, { authorization: 'Bearer abc.def.ghi' });
    expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
    expect((await withCookie(`${NAME}=abc.def.ghi`, { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it('is refused when it comes twice, also the same one', async () => {
    const token = await fleet.account.token(ACCESS);
    const answer = await withCookie(`${NAME}=${token}; ${NAME}=${token}`);
    expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(
      `The cookie ${NAME} must come once.`,
    );
  });

  it.each(['access', '__Secure-access', '__host-access', '__Host-access2'])('is not %s', async (name) => {
    const answer = await withCookie(`${name}=${await fleet.account.token(ACCESS)}`);
    expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(MISSING);
  });

  it('is held to the same checks', async () => {
    const expired = await fleet.account.token(ACCESS, { expires: Math.floor(Date.now() / 1000) - 1 });
    const answer = await withCookie(`${NAME}=${expired}`);
    expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  });

  it('is for reads: there is nothing to write to, with a cookie or without', async () => {
    const token = await fleet.account.token(ACCESS);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${fleet.running.publicUrl}/api/v1/alerts/`, {
        method,
        headers: { cookie: `${NAME}=${token}`, origin: 'https://evil.example' },
      });
      expect(answer.status).toBe(404);
    }
  });

  it('has the parent domain’s name where the deployment shares its session', async () => {
    const sharing = await startFleetService({ environment: { COOKIE_DOMAIN: 'example.com' } });
    try {
      const token = await sharing.account.token(ACCESS);
      const status = async (cookie: string) =>
        (await sharing.get('/api/v1/alerts/', null, { cookie })).status;
      expect(await status(`__Secure-access=${token}`)).toBe(200);
      expect(await status(`${NAME}=${token}`)).toBe(401);
    } finally {
      await sharing.stop();
    }
  });
});
