import {
  type BearerOptions,
  bearerSession,
  cookieSession,
  createAccountClient,
  createFleetClient,
  startSignIn,
} from '@gpu-observatory/client';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { tokenOf } from '../requests.ts';
import type { SharedStack } from '../shared-stack.ts';
import { browserFetch } from './browser-fetch.ts';

export function describeTypescriptClient(shared: SharedStack): void {
  describe('the TypeScript client', () => {
    let urls: { fleet: string; account: string };
    let tokens: BearerOptions['tokens'] & { expires_in: number };
    let origin: string;

    beforeAll(async () => {
      const { fleet_url: fleet, account_url: account } = shared.sandbox.stack();
      urls = { fleet, account };
      origin = `http://localhost:${shared.sandbox.portBase}`;
      tokens = JSON.parse(await tokenOf(shared, 'ada@acme.example', '--json')) as typeof tokens;
    });

    const session = (more: Partial<BearerOptions> = {}) =>
      bearerSession({ accountUrl: urls.account, tokens, ...more });
    const fleetOf = (own = session()) => createFleetClient({ baseUrl: urls.fleet, session: own });

    it('reads alerts, GPUs and metrics', async () => {
      const fleet = fleetOf();
      const { alerts, total_size } = await fleet.get('/api/v1/alerts', {
        params: { query: { page_size: 3 } },
      });
      expect([alerts.length, (total_size ?? 0) > 3]).toEqual([3, true]);
      const { alert } = await fleet.get('/api/v1/alerts/{id}', { params: { path: { id: alerts[0]!.id } } });
      expect(alert.title).toBe(alerts[0]!.title);
      const { gpus } = await fleet.get('/api/v1/gpus', { params: { query: { view: 'basic' } } });
      const id = gpus.find(({ gpu_id }) => gpu_id.includes('|'))?.gpu_id ?? gpus[0]!.gpu_id;
      expect((await fleet.get('/api/v1/gpus/{id}', { params: { path: { id } } })).gpu.gpu_id).toBe(id);
      expect((await fleet.get('/api/v1/metrics')).metrics.metrics_summary.gpu_count).toBeGreaterThan(0);
    });

    it('refreshes an expired token once for concurrent requests', async () => {
      const refreshed: string[] = [];
      const own = session({
        tokens: { ...tokens, access_token: 'expired' },
        onTokens: ({ access_token }) => refreshed.push(access_token),
      });
      const account = createAccountClient({ baseUrl: urls.account, session: own });
      const responses = await Promise.all([
        ...Array.from({ length: 5 }, () => fleetOf(own).get('/api/v1/alerts:summary')),
        account.get('/api/v1/me'),
      ]);
      expect(responses.at(-1)).toMatchObject({ user: { email: 'ada@acme.example' } });
      expect(refreshed).toHaveLength(1);
    });

    it('signs in with cookies, refreshes by cookie and signs out', async () => {
      const browser = browserFetch(origin);
      let ended = false;
      const own = cookieSession({
        accountUrl: urls.account,
        fetch: browser.fetch,
        onEnd: () => (ended = true),
      });
      const account = createAccountClient({ baseUrl: urls.account, session: own });
      const { url, exchange } = await startSignIn(`${urls.account}/api/v1/auth/github`, origin);
      const callback = await signInWithoutBrowser(url, 'ada@acme.example');
      const code = callback.searchParams.get('code')!;
      expect(await account.post('/api/v1/auth/token', { body: { code, ...exchange } })).toBeUndefined();
      expect((await account.get('/api/v1/me')).user.email).toBe('ada@acme.example');

      const fleet = createFleetClient({ baseUrl: urls.fleet, session: own });
      expect(browser.deleteCookies(/access/)).toBe(1);
      const [summary, { user }] = await Promise.all([
        fleet.get('/api/v1/alerts:summary'),
        account.get('/api/v1/me'),
      ]);
      expect([Object.keys(summary), user.email]).toEqual([['summary'], 'ada@acme.example']);
      expect(browser.paths.filter((path) => path.endsWith('/auth/refresh'))).toHaveLength(1);

      await account.post('/api/v1/auth/logout');
      await expect(account.get('/api/v1/me')).rejects.toMatchObject({ code: 'Unauthorized' });
      expect(ended).toBe(true);
    });
  });
}
