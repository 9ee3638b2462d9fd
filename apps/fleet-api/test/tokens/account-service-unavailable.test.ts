import type { Access } from '@gpu-observatory/domain-types';
import { freePort } from '@gpu-observatory/embedded-database';
import { errorMessageOf } from '../support/responses.ts';
import { startFleetService } from '../support/fleet-service.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('is not ready and returns 502 while account-service was never reachable', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const fleet = await startFleetService({
    environment: { JWKS_URL: `${nowhere}/.well-known/jwks.json`, ACCOUNT_INTERNAL_URL: nowhere },
  });
  try {
    const ready = await fetch(`${fleet.running.managementUrl}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        ready: false,
        checks: {
          lifecycle: 'ok',
          database: 'ok',
          replication: 'ok (primary)',
          'signing-keys': "the account service's signing keys have not been read yet",
          'revocation-feed': 'the revocation feed has not been read yet',
        },
      },
    ]);
    const response = await fleet.get('/api/v1/alerts/', ACCESS);
    expect(await errorMessageOf(response, 'listAlerts', 502, 'upstream_error')).toBe(
      'A backing service is unavailable; retry later.',
    );
    expect((await fleet.get('/api/v1/alerts/', null)).status).toBe(401);
  } finally {
    await fleet.stop();
  }
});

test('keeps serving when account-service becomes unavailable', async () => {
  const fleet = await startFleetService();
  const token = await fleet.account.token(ACCESS);
  const get = () => fleet.get('/api/v1/alerts/', null, { authorization: `Bearer ${token}` });
  expect((await get()).status).toBe(200);
  while (fleet.account.feedReadings() < 2) await pause(50);

  await fleet.account.stop();
  await pause(700);
  expect((await get()).status).toBe(200);
  expect((await fetch(`${fleet.running.managementUrl}/readyz`)).status).toBe(200);
  await fleet.running.close();
  await fleet.database.drop();
});

test.each([
  ['false', 200],
  ['true', 503],
])(
  'reports a stale revocation feed; REVOCATION_STALENESS_NOT_READY=%s makes readiness %i',
  async (flag, status) => {
    const fleet = await startFleetService({
      environment: { REVOCATION_STALENESS_LIMIT_SECONDS: '2', REVOCATION_STALENESS_NOT_READY: flag },
    });
    try {
      const get = (path: string) => fetch(`${fleet.running.managementUrl}${path}`);
      const metric = async () =>
        /^revocation_feed_stale(?:\{.*\})? (\d)/m.exec(await (await get('/metrics')).text())?.[1];
      expect(await metric()).toBe('0');
      await fleet.account.stop();
      await pause(3_000);
      const ready = await get('/readyz');
      const { checks } = (await ready.json()) as { checks: Record<string, string> };
      expect(ready.status).toBe(status);
      expect(checks['revocation-feed']).toMatch(
        /stale: the revocation feed was last read \d+ s ago, the limit is 2 s/,
      );
      expect(await metric()).toBe('1');
    } finally {
      await fleet.running.close();
      await fleet.database.drop();
    }
  },
);

test('sends no requests to account-service after shutdown', async () => {
  const fleet = await startFleetService();
  await fleet.running.close();
  const readings = fleet.account.feedReadings();
  await pause(1_200);
  expect(fleet.account.feedReadings()).toBe(readings);
  await fleet.account.stop();
  await fleet.database.drop();
});
