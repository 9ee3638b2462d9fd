import type { BrowserContext, Page, Route } from 'playwright-core';

/** An alert's id, and the paths of the pages of the worst host and of a GPU. */
export interface Ids {
  alert: string;
  host: string;
  gpu: string;
}

interface Shot {
  name: string;
  path: string | ((ids: Ids) => string);
  isSignedOut?: boolean;
  /** Prepares the responses. */
  before?: (context: BrowserContext) => Promise<unknown>;
  /** Brings the page into the state, once it has loaded. */
  act?: (page: Page) => Promise<unknown>;
}

const FLEET = '**/api/v1/{alerts,gpu,hosts,xid,fleet,metrics}**';
const problem = (status: number, code: string, headers: Record<string, string>) => (route: Route) =>
  route.fulfill({
    status,
    headers: {
      'access-control-allow-origin': new URL(route.request().headers()['origin'] ?? 'http://localhost')
        .origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
      ...headers,
    },
    json: { error: code, message: 'Too many concurrent reads of this customer; retry later.' },
  });

/** Every view, and every state of a view. */
export const shots: Shot[] = [
  { name: 'sign-in', path: '/', isSignedOut: true },
  { name: 'sign-in-denied', path: '/auth/callback?error=domain_not_allowed', isSignedOut: true },
  { name: 'overview', path: '/' },
  {
    name: 'overview-unreachable',
    path: '/',
    before: (context) => context.route(FLEET, (route) => route.abort()),
  },
  {
    name: 'overview-loading',
    path: '/',
    before: (context) => context.route(FLEET, () => new Promise(() => {})),
  },
  {
    name: 'overview-empty',
    path: '/',
    before: (context) => context.route('**/api/v1/gpus?**', replaced({ gpus: [] })),
  },
  {
    name: 'overview-stale',
    path: '/',
    before: (context) => context.route(FLEET, withDataOf(Date.now() - 12 * 60_000)),
  },
  {
    name: 'overview-offline',
    path: '/',
    act: async (page) => {
      await page.context().setOffline(true);
      await page.getByText('Offline').waitFor();
    },
  },
  {
    name: 'gpus-error',
    path: '/gpus',
    before: (context) => context.route(FLEET, problem(502, 'upstream_error', {})),
  },
  { name: 'alerts', path: '/alerts' },
  { name: 'alerts-filtered', path: '/alerts?severity=critical,high&sort=hostname' },
  { name: 'alerts-nothing', path: '/alerts?title=matches-nothing' },
  {
    name: 'alerts-too-many',
    path: '/alerts',
    before: (context) =>
      context.route('**/api/v1/alerts**', problem(429, 'too_many_requests', { 'retry-after': '7' })),
  },
  {
    name: 'alerts-loading',
    path: '/alerts',
    before: (context) => context.route(FLEET, () => new Promise(() => {})),
  },
  {
    name: 'alerts-range',
    path: '/alerts',
    act: (page) => page.getByRole('button', { name: 'Exact…' }).click(),
  },
  {
    name: 'alerts-new',
    path: '/alerts',
    before: (context) => context.route('**/api/v1/alerts?page_size=1', withMoreAlerts(12)),
    act: (page) => page.getByRole('button', { name: '12 new alerts' }).waitFor(),
  },
  {
    name: 'alerts-filters',
    path: '/alerts',
    act: async (page) => {
      const button = page.getByRole('button', { name: 'Filters' });
      if (await button.isVisible()) await button.click();
    },
  },
  { name: 'alerts-window', path: '/alerts?window=24h&compare=before' },
  { name: 'alerts-search', path: '/alerts?q=xid&window=7d' },
  {
    name: 'alerts-excluded',
    path: '/alerts?window=7d&not_severity=info,low&not_type=gpu_usage&columns=type,host,workspace,gpu,serial,key',
    act: async (page) => {
      const names = await page.locator('[role=row] [class*=host] bdi').allInnerTexts();
      const hosts = [...new Set(names)].filter(Boolean).slice(0, 3);
      await page.goto(`${page.url()}&not_hostname=${hosts.join(',')}`);
      await page.locator('[role=cell] a').first().waitFor();
    },
  },
  {
    name: 'alerts-selected',
    path: '/alerts?window=24h',
    act: async (page) => {
      const boxes = page.getByRole('checkbox', { name: /^Select/ });
      if (!(await boxes.first().isVisible())) return;
      await boxes.nth(1).check();
      await boxes.nth(4).click({ modifiers: ['Shift'] });
    },
  },
  { name: 'alerts-groups-host', path: '/alerts?window=7d&group=host' },
  { name: 'alerts-groups-equal', path: '/alerts?window=24h&group=equal' },
  {
    name: 'alerts-views',
    path: '/alerts?severity=critical&window=24h',
    act: async (page) => {
      await page.locator('summary', { hasText: 'Views' }).click();
      await page.getByLabel('Name of the view').fill('Critical, last 24 hours');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    },
  },
  {
    name: 'alerts-columns',
    path: '/alerts?window=24h',
    act: async (page) => {
      const menu = page.locator('summary', { hasText: 'Columns' });
      if (await menu.isVisible()) await menu.click();
    },
  },
  { name: 'alert-panel', path: ({ alert }) => `/alerts?sort=severity&alert=${alert}` },
  { name: 'alert', path: ({ alert }) => `/alerts/${alert}` },
  { name: 'alert-unknown', path: '/alerts/00000000-0000-4000-8000-000000000000' },
  { name: 'hosts', path: '/hosts' },
  { name: 'hosts-nothing', path: '/hosts?health=healthy&model=matches-nothing' },
  {
    name: 'hosts-loading',
    path: '/hosts',
    before: (context) => context.route(FLEET, () => new Promise(() => {})),
  },
  { name: 'host', path: ({ host }) => host },
  { name: 'host-week', path: ({ host }) => `${host}?window=7d` },
  { name: 'host-unknown', path: '/hosts/nowhere' },
  { name: 'xids', path: '/xids' },
  { name: 'xids-month', path: '/xids?window=30d' },
  { name: 'xids-filtered', path: '/xids?code=79&window=30d' },
  { name: 'xids-nothing', path: '/xids?code=999' },
  {
    name: 'xids-empty',
    path: '/xids',
    before: (context) => context.route('**/api/v1/xid-incidents?**', replaced({ incidents: [], groups: [] })),
  },
  { name: 'usage', path: '/usage' },
  { name: 'usage-hosts', path: '/usage?by=host&window=30d' },
  {
    name: 'usage-too-many',
    path: '/usage',
    before: (context) =>
      context.route('**/api/v1/fleet-usage**', problem(429, 'too_many_requests', { 'retry-after': '7' })),
  },
  { name: 'palette', path: '/metrics', act: openPalette },
  {
    name: 'palette-results',
    path: '/metrics',
    act: async (page) => {
      await openPalette(page);
      await page.getByRole('dialog').getByRole('combobox').fill('gpu1');
      await page.getByRole('group', { name: 'Alerts' }).waitFor();
    },
  },
  { name: 'gpus', path: '/gpus' },
  { name: 'gpus-temperature', path: '/gpus?color=temperature' },
  { name: 'gpus-table', path: '/gpus?view=table&sort=health' },
  {
    name: 'gpus-host',
    path: '/gpus?view=table',
    act: async (page) => {
      const host = await page.locator('[role=row] a bdi').first().innerText();
      await page.goto(new URL(`/gpus?view=table&q=${host}&q_operator=equals`, page.url()).href);
      await page.getByRole('heading', { name: 'GPUs' }).waitFor();
    },
  },
  { name: 'gpus-idle-week', path: '/gpus?view=table&window=7d&load=idle&sort=-utilization' },
  { name: 'gpus-nothing', path: '/gpus?q=matches-nothing' },
  {
    name: 'gpus-tip',
    path: '/gpus',
    act: (page) => page.getByLabel(/GPUs by host/).hover({ position: { x: 20, y: 25 } }),
  },
  { name: 'gpu', path: ({ gpu }) => gpu },
  { name: 'gpu-week', path: ({ gpu }) => `${gpu}?window=7d` },
  { name: 'metrics', path: '/metrics' },
  { name: 'metrics-compared', path: '/metrics?window=7d&compare=before' },
  { name: 'keys', path: '/keys' },
  {
    name: 'keys-create',
    path: '/keys',
    act: (page) => page.getByRole('button', { name: 'Create a key' }).click(),
  },
  {
    name: 'keys-secret',
    path: '/keys',
    before: (context) => context.route('**/api/v1/keys', keyCreated),
    act: async (page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('rack 12 agent');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByTestId('secret').waitFor();
    },
  },
  {
    name: 'keys-delete',
    path: '/keys',
    act: (page) =>
      page
        .getByRole('button', { name: /^Delete / })
        .first()
        .click(),
  },
  {
    name: 'keys-empty',
    path: '/keys',
    before: (context) => context.route('**/api/v1/keys**', replaced({ api_keys: [] })),
  },
  {
    name: 'user-menu',
    path: '/alerts',
    act: (page) => page.locator('summary', { hasText: 'Menu of' }).click(),
  },
  { name: 'sessions', path: '/alerts', act: openSessions },
  {
    name: 'sessions-confirm',
    path: '/alerts',
    act: async (page) => {
      await openSessions(page);
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    },
  },
  { name: 'unknown-page', path: '/nowhere' },
  { name: 'help', path: '/gpus', act: (page) => page.keyboard.press('?') },
];

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
}

async function openSessions(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Menu of' }).click();
  await page.getByRole('button', { name: 'Sessions' }).click();
  await page.getByText('This session').waitFor();
}

/** Returns a route handler that replaces the time of the newest import in the response. */
function withDataOf(ms: number): (route: Route) => Promise<void> {
  return async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'x-data-as-of': new Date(ms).toISOString() };
    await route.fulfill({ response, headers });
  };
}

/** Adds alerts to the total of a response. */
function withMoreAlerts(count: number): (route: Route) => Promise<void> {
  return async (route) => {
    const response = await route.fetch();
    if (response.status() === 304) return route.fulfill({ response });
    const body = (await response.json()) as { total_size: number };
    await route.fulfill({ response, json: { ...body, total_size: body.total_size + count } });
  };
}

/** Responds to the creation of a key as the service does, without a new key in the stack. */
async function keyCreated(route: Route): Promise<void> {
  const request = route.request();
  if (request.method() !== 'POST') return route.continue();
  const response = await route.fetch({ method: 'GET' });
  const key = { name: 'rack 12 agent', key: '3f6f2c1e-6a0b-4d43-9d6e-5b8a7d2f9c10' };
  await route.fulfill({ response, status: 201, json: { api_key: key } });
}

/** Keeps the headers of the response and replaces its body. */
function replaced(json: object): (route: Route) => Promise<void> {
  return async (route) => route.fulfill({ response: await route.fetch(), json });
}
