import type { Access } from '@gpu-observatory/domain-types';
import { refusalOf } from '../support/answers.ts';
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
  const token = await fleet.account.token(ACCESS, { expires: Math.floor(Date.now() / 1000) + 2 });
  expect((await withHeader(`Bearer ${token}`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
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
  const revokedAt = Date.now();
  let answer = await withHeader(`Bearer ${ended}`);
  while (answer.status !== 401 && Date.now() - revokedAt < 2_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = await withHeader(`Bearer ${ended}`);
  }
  expect(await refusalOf(answer, 'listAlerts', 401, 'unauthorized')).toBe(INVALID);
  expect((await withHeader(`Bearer ${living}`)).status).toBe(200);
});
