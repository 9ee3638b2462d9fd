import { randomUUID } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import {
  advanceUntil,
  type ConsoleBrowser,
  eventually,
  everyView,
  fetchBody,
  VIEWS,
} from './console-browser.ts';

const HOSTILE = [
  '<script>document.title = "attacked"</script>',
  '<img src=x onerror="document.title=\'attacked\'">',
  '\u202Ereversed \u0645\u0631\u062D\u0628\u0627',
  '👩‍🚀'.repeat(40),
  'w'.repeat(4_096),
];

/** Height of a row of alerts in a window of the default width. */
const ROW_HEIGHT_PX = 34;

export function describeFailures(browser: ConsoleBrowser): void {
  describe('failures', () => {
    it.each(VIEWS.filter((view) => view !== '/keys'))(
      'shows in %s that the service is away, counts down and recovers',
      async (view) => {
        const page = await browser.open('/keys');
        await page.getByRole('heading', { name: 'Keys' }).waitFor();
        await page
          .context()
          .route('**/api/v1/{alerts,gpu,hosts,xid,fleet,metrics}**', (route) => route.abort());
        await page.goto(new URL(view, page.url()).href);
        const banner = page.getByRole('region', { name: 'Connection' });
        await banner.getByText('The service cannot be reached.').waitFor();
        await banner.getByRole('button', { name: /^Try again now \(\d+ s\)$/ }).waitFor();
        await page.getByText('not updating').waitFor();
        // One message for the view; its parts have none.
        expect(await page.getByRole('alert').count()).toBe(1);
        expect(await page.getByRole('button', { name: /^Try again/ }).count()).toBe(1);
        await page.context().unrouteAll();
        await banner.getByRole('button').click();
        await banner.waitFor({ state: 'detached' });
        await page.getByText('Not available').first().waitFor({ state: 'detached' });
      },
    );

    it('keeps the data of the overview, marked with its time, while the service is away', async () => {
      const page = await browser.open('/keys');
      await page.clock.install();
      await page.goto(new URL('/', page.url()).href);
      await page.getByLabel('Fleet by host and health').locator('canvas').waitFor();
      await page.locator('[role=status]', { hasText: 'Loading' }).first().waitFor({ state: 'detached' });
      const banner = page.getByRole('region', { name: 'Connection' });
      const panels = page.locator('main section', { has: page.getByRole('heading', { level: 2 }) });
      await page
        .context()
        .route('**/api/v1/{alerts,gpu,hosts,xid,fleet,metrics}**', (route) => route.abort());
      await advanceUntil(banner, 'visible');
      for (const panel of await panels.all()) {
        await panel.getByText(/^as of \d\d:\d\d:\d\d UTC/).waitFor();
      }
      expect(await page.getByText('Not available').count()).toBe(0);
      expect(await page.getByLabel('Fleet by host and health').locator('canvas').count()).toBe(1);
      // Without a click, the countdown repeats the requests.
      await page.context().unrouteAll();
      await advanceUntil(banner, 'detached');
      expect(await page.getByText(/^as of/).count()).toBe(0);
    });

    it('shows the time of the data, not "now", while the browser is offline', async () => {
      const page = await browser.open('/keys');
      await page.clock.install();
      await page.goto(new URL('/', page.url()).href);
      await page.getByText(/^updated /).waitFor();
      await page.context().setOffline(true);
      const status = page.getByRole('banner').getByRole('status');
      await status.getByText('Offline').waitFor();
      expect(await status.innerText()).toMatch(/^Offline: data as of \d\d:\d\d:\d\d UTC\S*(, \d+ min ago)?$/);
      await advanceUntil(page.getByText('You are offline.'), 'visible');
      await page.context().setOffline(false);
      await advanceUntil(page.getByText('You are offline.'), 'detached');
      await advanceUntil(page.getByText(/^updated /), 'visible');
    });

    it('requests a page of alerts that failed again with the next attempt, and a rejected one never', async () => {
      const page = await browser.open('/keys');
      let isRejected = false;
      const attempts: string[] = [];
      // The demo fleet of this test has fewer alerts than a page.
      await page.context().route('**/api/v1/alerts?**', async (route) => {
        const url = route.request().url();
        if (!url.includes('sort=')) return route.continue();
        if (url.includes('page_token=')) {
          attempts.push(url);
          return isRejected ? route.continue() : route.abort();
        }
        const response = await fetchBody(route);
        const body = (await response.json()) as object;
        await route.fulfill({ response, json: { ...body, total_size: 1_000, next_page_token: 'next' } });
      });
      await page.goto(new URL('/alerts', page.url()).href);
      const banner = page.getByRole('region', { name: 'Connection' });
      await banner.waitFor();
      // The client makes two attempts per request.
      expect(attempts).toHaveLength(2);
      await scrollToRow(page, 600);
      isRejected = true;
      await banner.getByRole('button').click();
      await page.getByRole('button', { name: 'Reload' }).waitFor();
      expect(attempts).toHaveLength(3);
      expect(await banner.count()).toBe(0);
    });

    it('drops alerts far from the view and requests them again by the token of their page', async () => {
      const page = await browser.open('/keys');
      const requested = await serveManyAlerts(page, { rows: 20_000, total: 20_000 });
      await page.goto(new URL('/alerts', page.url()).href);
      const showRow = async (row: number) => {
        await scrollToRow(page, row);
        await page.getByText(`Alert of row ${row}`, { exact: true }).waitFor();
      };
      await page.getByText('Alert of row 0', { exact: true }).waitFor();
      await showRow(300);
      await showRow(12_000);
      const pages = [...requested];
      // Rows within 2,000 of the view are in memory.
      await showRow(10_500);
      expect(requested).toEqual(pages);
      await showRow(200);
      const [again, ...others] = requested.slice(pages.length);
      expect(pages).toContain(again);
      expect(again).toMatch(/^150-/);
      expect(others).toEqual([]);
      // The first page stays: it has no token, and a request for it would return current alerts.
      await showRow(0);
      expect(requested.filter((each) => each === '0-150')).toHaveLength(1);
    });

    it('continues a list whose total the service omits, and shows its size at the end', async () => {
      const page = await browser.open('/keys');
      await serveManyAlerts(page, { rows: 300, total: null });
      await page.goto(new URL('/alerts', page.url()).href);
      await page.getByText('More than 150 alerts', { exact: true }).waitFor();
      await scrollToRow(page, 149);
      await page.getByText('300 alerts', { exact: true }).waitFor();
      await scrollToRow(page, 299);
      await page.getByText('Alert of row 299', { exact: true }).waitFor();
    });

    it('shows hostile texts of every field as text, within the width of the page', async () => {
      const page = await browser.open('/keys');
      const views = await everyView(browser);
      await page
        .context()
        .route('**/api/v1/{me,keys,workspaces,alerts,gpu,hosts,xid,fleet,metrics}**', replaceTexts);
      for (const view of views) {
        await page.setViewportSize({ width: 1_280, height: 800 });
        await page.goto(new URL(view, page.url()).href);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.locator('[role=status]', { hasText: 'Loading' }).first().waitFor({ state: 'detached' });
        if (!['/gpus', '/metrics'].includes(view))
          await page.getByRole('main').getByText('document.title', { exact: false }).first().waitFor();
        expect(await page.title()).not.toBe('attacked');
        await eventually(async () => expect([view, ...(await overflowOf(page))]).toEqual([view]));
        await page.setViewportSize({ width: 360, height: 800 });
        await eventually(async () => expect([view, ...(await overflowOf(page))]).toEqual([view]));
      }
    });
  });
}

/** Scrolls the table of alerts until a row is at the top of its window. */
async function scrollToRow(page: Page, row: number): Promise<void> {
  await page.getByRole('table', { name: 'Alerts', exact: true }).waitFor();
  await page.evaluate(`document.querySelector('[role=table]').scrollTop = ${row * ROW_HEIGHT_PX}`);
}

/** Fields with a fixed set of values, numbers, times or identifiers. All others are texts of users, hosts and processes. */
const FIXED_FIELDS =
  /^(id|at|ts|from|to|day|kind|type|severity|state|health|rule|role|since|until|bucket|label|value|first_seen|last_seen|key|method|.*_(id|ids|at|token|uuid))$/;

/** Times are also in lists, without a name. */
const TIME = /^\d{4}-\d\d-\d\dT/;

/** Replaces the texts of a response; each object gets the next hostile one. */
async function replaceTexts(route: Route): Promise<void> {
  const response = await fetchBody(route);
  let n = 0;
  const replace = (key: string, value: unknown) =>
    !FIXED_FIELDS.test(key) && typeof value === 'string' && value !== '' && !TIME.test(value)
      ? HOSTILE[n++ % HOSTILE.length]
      : value;
  const body = JSON.stringify(await response.json(), replace);
  await route.fulfill({ response, body });
}

/** Returns elements that make the page wider than the window, with their right edge in px; none if it is not wider. */
async function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .map((element) => [element, Math.round(element.getBoundingClientRect().right)])
      .filter(([, right]) => right > clientWidth)
      .map(([{ tagName, className }, right]) => tagName + ' ' + className + ': ' + right + ' of ' + clientWidth);
  })()`);
}

/**
 * Replaces the list of alerts by a longer one: the demo fleet of this test has fewer alerts than a page.
 *
 * @returns the ranges of rows that are requested
 */
async function serveManyAlerts(
  page: Page,
  { rows, total }: { rows: number; total: number | null },
): Promise<string[]> {
  const requested: string[] = [];
  await page.context().route('**/api/v1/alerts?**', async (route) => {
    const url = new URL(route.request().url());
    if (!url.searchParams.has('sort')) return route.continue();
    const start = Number(url.searchParams.get('page_token') ?? 0);
    const end = Math.min(rows, start + Number(url.searchParams.get('page_size')));
    requested.push(`${start}-${end}`);
    url.searchParams.delete('page_token');
    const response = await fetchBody(route, url.href);
    const { alerts } = (await response.json()) as { alerts: object[] };
    const shown = Array.from({ length: end - start }, (_unused, n) => ({
      ...alerts[0],
      id: randomUUID(),
      title: `Alert of row ${start + n}`,
    }));
    await route.fulfill({
      response,
      json: { alerts: shown, total_size: total, ...(end < rows ? { next_page_token: String(end) } : {}) },
    });
  });
  return requested;
}
