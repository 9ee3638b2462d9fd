import type { APIResponse, Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { openBrowser } from '@gpu-observatory/testing/browser';
import { tokenOf } from '../requests.ts';
import type { SharedStack } from '../shared-stack.ts';

/** Views of a signed-in user that need no id. */
export const VIEWS = [
  '/',
  '/alerts',
  '/hosts',
  '/gpus',
  '/gpus?view=table',
  '/xids',
  '/usage',
  '/metrics',
  '/keys',
];

/** Returns the paths of all views: those without an id, an alert next to the list and as a page, a host and a GPU. */
export async function everyView({ api }: ConsoleBrowser): Promise<string[]> {
  const { alerts } = await api<{ alerts: { id: string }[] }>('fleet/alerts?sort=severity');
  const { gpus } = await api<{ gpus: { gpu_id: string; hostname: string }[] }>('fleet/gpus?view=basic');
  const id = await firstWithReadings(
    alerts.map((alert) => alert.id),
    api,
  );
  const [gpu] = gpus;
  return [
    ...VIEWS,
    `/alerts?alert=${id}`,
    `/alerts/${id}`,
    `/hosts/${gpu!.hostname}`,
    `/gpus/${encodeURIComponent(gpu!.gpu_id)}`,
  ];
}

/** Returns the first alert whose page has charts: which alerts have a GPU with readings depends on the time of day. */
async function firstWithReadings(ids: string[], api: ConsoleBrowser['api']): Promise<string> {
  for (const id of ids) {
    const { alert } = await api<AlertReadings>(`fleet/alerts/${id}`);
    if ((alert.resource_details.gpu_details?.utilization_data.length ?? 0) > 1) return id;
  }
  throw new Error(`None of ${ids.length} alerts has readings of its GPU.`);
}

interface AlertReadings {
  alert: { resource_details: { gpu_details: { utilization_data: unknown[] } | null } };
}

/** For a slow machine: what is awaited appears in a second on a quiet one. */
const TIMEOUT_MS = 120_000;

/** A browser with the session of Ada. Tests that end a session sign in again. */
export interface ConsoleBrowser {
  /** Opens the console as Ada. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens the console in a browser without a session. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  signIn(page: Page, provider: 'GitHub' | 'Google', email: string): Promise<void>;
  /** Returns what an API returns to Ada. `path` starts with the name of the service. */
  api<Body>(path: string): Promise<Body>;
  /** Closes the pages of a test and checks that they reported no error. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

export async function openConsoleBrowser(shared: SharedStack): Promise<ConsoleBrowser> {
  const { console_url, fleet_url, account_url } = shared.sandbox.stack();
  const browser: Browser = await openBrowser();
  const bearer = await tokenOf(shared, 'ada@acme.example');
  let errors: string[] = [];

  const signIn: ConsoleBrowser['signIn'] = async (page, provider, email) => {
    await page.getByRole('button', { name: `Sign in with ${provider}` }).click();
    await page.locator(`button[name=email][value="${email}"]`).click();
    await page.waitForURL(`${console_url}/**`);
  };
  const visit: ConsoleBrowser['visit'] = async (path, options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      // The status of a response is not an error of the page. A violated Content-Security-Policy is.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    await page.goto(console_url + path);
    return page;
  };

  const first = await visit('/');
  await signIn(first, 'GitHub', 'ada@acme.example');
  await first.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  const storageState = await first.context().storageState();

  const closePages = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    const reported = errors;
    errors = [];
    expect(reported).toEqual([]);
  };
  return {
    open: (path, options) => visit(path, { storageState, ...options }),
    visit,
    signIn,
    async api<Body>(path: string) {
      const [service, ...rest] = path.split('/');
      const base = service === 'fleet' ? fleet_url : account_url;
      const headers = { authorization: `Bearer ${bearer}` };
      const response = await fetch(`${base}/api/v1/${rest.join('/')}`, { headers });
      expect(response.status).toBe(200);
      return (await response.json()) as Body;
    },
    closePages,
    close: () => browser.close(),
  };
}

/** Sends an intercepted request, without its condition: "not modified" has no body that a test could change. */
export async function fetchBody(route: Route, url = route.request().url()): Promise<APIResponse> {
  const headers = await route.request().allHeaders();
  delete headers['if-none-match'];
  return route.fetch({ url, headers });
}

/** Advances the installed clock of a page, a second at a time, until the locator is visible or gone. */
export async function advanceUntil(locator: Locator, state: 'visible' | 'detached'): Promise<void> {
  await eventually(async () => {
    await locator.page().clock.runFor(1_000);
    expect((await locator.count()) > 0).toBe(state === 'visible');
  });
}

/** Repeats a comparison with live data until it holds. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await check();
    } catch (failure) {
      if (Date.now() > deadline) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
