import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { type Deployment, FRONTEND_URL, startDeployment } from '../deployment/deployment.ts';
import { buildEarlier, type EarlierBuild } from './earlier-build.ts';

/** The commit whose services were deployed before. From the first release on, the last release tag. */
const EARLIER_COMMIT = '65cc519cbcd636ef54052e318d5661cf2672d7a3';
const today = fileURLToPath(new URL('../..', import.meta.url));
const REVOCATION_LIMIT_MS = 60_000;
/** Installs hundreds of packages and compiles, on a slow machine. */
const BUILD_LIMIT_MS = 30 * 60_000;

describe('services of two versions', () => {
  let earlier: EarlierBuild;
  beforeAll(async () => {
    earlier = await buildEarlier(EARLIER_COMMIT);
  }, BUILD_LIMIT_MS);
  afterAll(() => earlier?.[Symbol.asyncDispose]());

  it.each([
    ['an earlier fleet-api', 'fleet-api'],
    ['an earlier account-service', 'account-service'],
  ] as const)('%s accepts tokens and revocations with the other service of today', async (_name, older) => {
    const deployment = await startDeployment({
      builds: {
        'fleet-api': today,
        'account-service': today,
        'website-api': today,
        [older]: earlier.folder,
      },
      tokens: 'account-service',
    });
    try {
      await checkSession(deployment);
    } finally {
      await deployment.stop();
    }
  });
});

/** Signs in, reads, refreshes and signs out; then fleet-api rejects the token. */
async function checkSession({ urls }: Deployment): Promise<void> {
  const account = `${urls['account-service']}/api/v1`;
  const fleet = `${urls['fleet-api']}/api/v1`;
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${account}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const start = `${account}/auth/github?${new URLSearchParams({ frontend_url: FRONTEND_URL })}`;
  const callback = await signInWithoutBrowser(start, 'ada@acme.example');
  const exchanged = await post('/auth/token', {
    code: callback.searchParams.get('code'),
    redirect_uri: FRONTEND_URL,
  });
  expect(exchanged.status).toBe(200);
  const session = (await exchanged.json()) as { access_token: string; refresh_token: string };
  const refreshed = await post('/auth/refresh', { refresh_token: session.refresh_token });
  expect(refreshed.status).toBe(200);
  const { access_token: token } = (await refreshed.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}` };

  for (const path of ['/alerts/?page_size=5', '/alerts:summary', '/gpus', '/metrics']) {
    const response = await fetch(`${fleet}${path}`, { headers });
    expect([path, response.status]).toEqual([path, 200]);
  }
  const keys = await fetch(`${account}/keys/`, { headers });
  expect(keys.status).toBe(200);

  expect((await post('/auth/logout', {}, headers)).status).toBe(204);
  const deadline = performance.now() + REVOCATION_LIMIT_MS;
  let status = 200;
  while (status === 200 && performance.now() < deadline) {
    ({ status } = await fetch(`${fleet}/alerts/?page_size=1`, { headers }));
    await sleep(100);
  }
  expect(status).toBe(401);
}
