import { AccountError, cookieSession, createAccountClient, createFleetClient } from '../src/index.ts';
import { type ScriptedService, sendJson, startScriptedService } from './support/service.ts';

/**
 * Two sessions of one browser, as two tabs have them: Node has the same `BroadcastChannel` and Web Locks. The console's
 * tests do it in a real browser.
 */
let service: ScriptedService;
let isRefreshed: boolean;
let refreshStatus: number;
beforeEach(async () => {
  [isRefreshed, refreshStatus] = [false, 204];
  service = await startScriptedService();
  service.respond = async ({ path }, response) => {
    if (path === '/api/v1/auth/refresh') {
      // Both tabs send their request before the first refresh is done.
      await received('/api/v1/alerts', 2);
      isRefreshed = refreshStatus === 204;
      response.writeHead(refreshStatus).end();
    } else if (path === '/api/v1/auth/logout') response.writeHead(204).end();
    else if (isRefreshed) sendJson(response, 200, { alerts: [], total_size: 0 });
    else sendJson(response, 401, { error: 'unauthorized', message: 'No.' });
  };
});
afterEach(() => service.close());

const paths = (path: string) => service.requests.filter((request) => request.path === path);
const received = async (path: string, count: number) => {
  while (paths(path).length < count) await new Promise((resolve) => setTimeout(resolve, 5));
};

function openTab() {
  const ends: string[] = [];
  let ended = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  const session = cookieSession({
    accountUrl: service.url,
    onEnd: (reason) => {
      ends.push(reason);
      ended();
    },
  });
  const fleet = createFleetClient({ baseUrl: service.url, session });
  return { ends, end, fleet, account: createAccountClient({ baseUrl: service.url, session }) };
}

it('shares one refresh between tabs', async () => {
  const tabs = [openTab(), openTab()];
  const lists = await Promise.all(tabs.map(({ fleet }) => fleet.get('/api/v1/alerts')));
  expect(lists).toEqual([
    { alerts: [], total_size: 0 },
    { alerts: [], total_size: 0 },
  ]);
  expect(paths('/api/v1/auth/refresh')).toHaveLength(1);
});

it('refreshes in the waiting tab when the refresh of the other tab failed', async () => {
  refreshStatus = 503;
  const tabs = [openTab(), openTab()];
  const lists = await Promise.allSettled(tabs.map(({ fleet }) => fleet.get('/api/v1/alerts')));
  expect(lists).toMatchObject([{ reason: { status: 503 } }, { reason: { status: 503 } }]);
  expect(lists.map((list) => list.status === 'rejected' && list.reason instanceof AccountError)).toEqual([
    true,
    true,
  ]);
  expect(paths('/api/v1/auth/refresh')).toHaveLength(2);
});

it('ends the session of every tab after a sign-out in one', async () => {
  const [first, second] = [openTab(), openTab()];
  await first.account.post('/api/v1/auth/logout');
  await second.end;
  expect([first.ends, second.ends]).toEqual([['signed-out'], ['signed-out']]);
});

it('does not affect sessions of another account service', async () => {
  const other = await startScriptedService();
  const ends: string[] = [];
  cookieSession({ accountUrl: other.url, onEnd: (reason) => ends.push(reason) });
  const [first, second] = [openTab(), openTab()];
  await first.account.post('/api/v1/auth/logout');
  await second.end;
  expect(ends).toEqual([]);
  await other.close();
});
