import type { Access } from '@gpu-observatory/domain-types';
import { errorMessageOf } from '../support/responses.ts';
import { startFleetService, useFleetService } from '../support/fleet-service.ts';
import { uuid } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const ROUTES: [path: string, operationId: string][] = [
  ['/api/v1/alerts/', 'listAlerts'],
  ['/api/v1/alerts', 'listAlerts'],
  ['/api/v1/alerts:summary', 'summarizeAlerts'],
  ['/api/v1/alerts:severityTrend', 'trendAlerts'],
  [`/api/v1/alerts/${uuid(1)}`, 'getAlert'],
  [`/api/v1/alerts/${uuid(1)}/timeline`, 'listTimelineEvents'],
  ['/api/v1/gpus', 'listGpus'],
  ['/api/v1/gpus/GPU-1', 'getGpu'],
  ['/api/v1/metrics', 'getMetrics'],
];
const MISSING = 'Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".';
const INVALID = 'The access token is not valid, has expired or was revoked.';

const fleet = useFleetService();

const withHeader = (authorization: string, path = '/api/v1/alerts/') =>
  fleet.get(path, null, { authorization });

it.each(ROUTES)('%s rejects requests without a token', async (path, operationId) => {
  const response = await fleet.get(path, null);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b(?!.*error=)/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await errorMessageOf(response, operationId, 401, 'unauthorized')).toBe(MISSING);
});

it.each(ROUTES)('%s rejects an invalid token before it validates the request', async (path, operationId) => {
  const response = await withHeader('Bearer abc.def.ghi', `${path}?page_size=0&unknown=1`);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
  expect(await errorMessageOf(response, operationId, 401, 'unauthorized')).toBe(INVALID);
});

it('rejects tokens that are expired, of another issuer, for another audience, or modified', async () => {
  const tokens = await Promise.all([
    fleet.account.token(ACCESS, { expires: Math.floor(Date.now() / 1000) - 1 }),
    fleet.account.token(ACCESS, { issuer: 'https://account.example' }),
    fleet.account.token(ACCESS, { audience: 'another-service' }),
    fleet.account.token(ACCESS).then((token) => `${token.slice(0, -4)}AAAA`),
    fleet.account.token([{ customer_id: 0, workspace_ids: 'all' }]),
    fleet.account.token('everything' as never),
  ]);
  for (const token of tokens) {
    const response = await withHeader(`Bearer ${token}`);
    expect(await errorMessageOf(response, 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  }
});

it('rejects a session within 2 s of its revocation, and no other', async () => {
  const [ended, active] = await Promise.all([
    fleet.account.token(ACCESS, { sessionId: 'session-ended' }),
    fleet.account.token(ACCESS, { sessionId: 'session-active' }),
  ]);
  expect((await withHeader(`Bearer ${ended}`)).status).toBe(200);
  fleet.account.revocations.push({
    kind: 'session',
    id: 'session-ended',
    not_before: new Date().toISOString(),
  });
  const deadline = Date.now() + 2_000;
  const sendEnded = () => withHeader(`Bearer ${ended}`);
  while (Date.now() < deadline && (await sendEnded()).status === 200) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await errorMessageOf(await sendEnded(), 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  expect((await withHeader(`Bearer ${active}`)).status).toBe(200);
});

describe('the access cookie', () => {
  const NAME = '__Host-access';
  const withCookie = (cookie: string, headers: Record<string, string> = {}) =>
    fleet.get('/api/v1/alerts/', null, { cookie, ...headers });

  it('replaces the header, and the response is private', async () => {
    const token = await fleet.account.token(ACCESS);
    for (const path of ['/api/v1/alerts/', '/api/v1/gpus']) {
      const response = await fleet.get(path, null, { cookie: `theme=dark; ${NAME}=${token}` });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    }
  });

  it('is rejected when it occurs twice, even with the same value', async () => {
    const token = await fleet.account.token(ACCESS);
    const response = await withCookie(`${NAME}=${token}; ${NAME}=${token}`);
    expect(await errorMessageOf(response, 'listAlerts', 401, 'unauthorized')).toBe(
      `The cookie ${NAME} must be sent once.`,
    );
  });

  it('is not accepted for writes, since there are none', async () => {
    const token = await fleet.account.token(ACCESS);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${fleet.running.publicUrl}/api/v1/alerts/`, {
        method,
        headers: { cookie: `${NAME}=${token}`, origin: 'https://evil.example' },
      });
      expect(response.status).toBe(404);
    }
  });

  it('has another name when the deployment shares sessions with a parent domain', async () => {
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
