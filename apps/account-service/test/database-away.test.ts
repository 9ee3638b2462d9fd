import { freePort } from '@gpu-observatory/embedded-database';
import { runService } from '@gpu-observatory/service-runtime';
import { accountService } from '../src/account-service.ts';
import { readConfig } from '../src/config/account.config.ts';
import { environmentFor, FRONTEND_URL } from './support/running-account-service.ts';

test('without a database the service runs, is not ready, and responds with 503', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const endpoint = 'http://127.0.0.1:1/unused';
  const running = await runService(
    accountService(),
    readConfig(
      environmentFor(url, port, `postgres://account_service:x@127.0.0.1:${await freePort()}/account`, {
        github: { authorizationUrl: endpoint, tokenUrl: endpoint, userUrl: endpoint, emailsUrl: endpoint },
        google: { authorizationUrl: endpoint, tokenUrl: endpoint, userInfoUrl: endpoint },
      }),
    ),
  );
  try {
    const ready = await fetch(`${running.managementUrl}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      ready: false,
      checks: {
        lifecycle: 'ok',
        database: 'the database is unavailable',
        database_writes: 'degraded (the database is unavailable)',
        'signing keys': 'no signing key has been read yet',
        revocations: 'the revocation feed has not been read yet',
      },
    });
    expect((await fetch(`${url}/api/v1/auth/methods`)).status).toBe(200);
    for (const path of [`/api/v1/auth/github?frontend_url=${FRONTEND_URL}`, '/.well-known/jwks.json']) {
      const response = await fetch(`${url}${path}`, { redirect: 'manual' });
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await response.json()).toEqual({
        title: 'Service Unavailable',
        detail: 'A backing service is unavailable; retry later.',
      });
    }
  } finally {
    await running.close();
  }
});
