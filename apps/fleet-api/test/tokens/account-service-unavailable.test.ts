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

test('keeps serving without account-service, and reports the stale revocation feed as the operator requires', async () => {
  const fleet = await startFleetService({
    environment: { REVOCATION_STALENESS_LIMIT_SECONDS: '2', REVOCATION_STALENESS_NOT_READY: 'true' },
  });
  try {
    const authorization = `Bearer ${await fleet.account.token(ACCESS)}`;
    const served = async () => (await fleet.get('/api/v1/alerts/', null, { authorization })).status;
    const get = (path: string) => fetch(`${fleet.running.managementUrl}${path}`);
    const metric = async () =>
      /^revocation_feed_stale(?:\{.*\})? (\d)/m.exec(await (await get('/metrics')).text())?.[1];
    expect([await served(), await metric()]).toEqual([200, '0']);
    await fleet.account.stop();
    while ((await get('/readyz')).status === 200) await pause(100);
    const { checks } = (await (await get('/readyz')).json()) as { checks: Record<string, string> };
    expect(checks['revocation-feed']).toMatch(
      /stale: the revocation feed was last read \d+ s ago, the limit is 2 s/,
    );
    expect([await served(), await metric()]).toEqual([200, '1']);
  } finally {
    await fleet.running.close();
    await fleet.database.drop();
  }
});

test('sends no requests to account-service after shutdown', async () => {
  const fleet = await startFleetService();
  await fleet.running.close();
  const readings = fleet.account.feedReadings();
  await pause(1_200);
  expect(fleet.account.feedReadings()).toBe(readings);
  await fleet.account.stop();
  await fleet.database.drop();
});
