import type { Page } from 'playwright-core';
import { type ConsoleBrowser, eventually } from './console-browser.ts';

export function describeNavigation(browser: ConsoleBrowser): void {
  describe('navigation', () => {
    it('keeps the state of a view in its URL', async () => {
      // The live feed adds alerts after this time.
      const to = new Date().toISOString();
      const urlWith = (parameters: Record<string, string>) => (url: URL) =>
        url.pathname === '/alerts' &&
        JSON.stringify([...url.searchParams].sort()) ===
          JSON.stringify(Object.entries({ to, ...parameters }).sort());
      const page = await browser.open(`/alerts?${new URLSearchParams({ to })}`);
      await page.getByRole('checkbox', { name: /^high/ }).check();
      await page.getByLabel('Order').selectOption('hostname');
      await page.waitForURL(urlWith({ severity: 'high', sort: 'hostname' }));
      const total = page.getByText(/^[\d,]+ alerts$/);
      await page.goBack();
      await page.waitForURL(urlWith({ severity: 'high' }));
      expect(await page.getByLabel('Order').inputValue()).toBe('-timestamp');
      await page.goForward();
      await page.waitForURL(urlWith({ severity: 'high', sort: 'hostname' }));
      const before = await total.innerText();
      await page.reload();
      await total.waitFor();
      expect([
        await total.innerText(),
        await page.getByRole('checkbox', { name: /^high/ }).isChecked(),
      ]).toEqual([before, true]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.waitForURL('**/alerts?sort=hostname');
    });

    it('sets the title of the tab in each view', async () => {
      const page = await browser.open('/');
      const hasTitle = (title: string) =>
        eventually(async () => expect(await page.title()).toBe(`${title} – GPU Observatory`));
      await hasTitle('Fleet');
      for (const view of ['Hosts', 'GPUs', 'XIDs', 'Usage', 'Metrics', 'Keys', 'Alerts']) {
        await page.getByRole('link', { name: view, exact: true }).first().click();
        await hasTitle(view);
      }
      const alert = page.locator('[role=cell] a').first();
      const title = await alert.innerText();
      await alert.click();
      await page.getByRole('link', { name: 'Open as a page' }).click();
      await hasTitle(title);
    });

    it('keeps the scope in every link', async () => {
      const page = await browser.open('/');
      await page.getByLabel('Scope').selectOption({ label: 'Research' });
      await page.waitForURL('**/?workspace=*');
      const { search } = new URL(page.url());
      await page.getByRole('link', { name: 'GPUs', exact: true }).first().click();
      await page.waitForURL(`**/gpus${search}`);
      const id = new URLSearchParams(search).get('workspace');
      const { gpus } = await browser.api<{ gpus: object[] }>(`fleet/gpus?view=basic&workspace_id=${id}`);
      await page.getByText(`${gpus.length} GPUs`, { exact: true }).waitFor();
    });

    it('works with the keyboard alone', async () => {
      const page = await browser.open('/');
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
      const { keyboard } = page;
      await followShortcut(page, 'a', 'Alerts');
      await page.locator('[role=cell] a').first().waitFor();
      await keyboard.press('/');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await keyboard.press('Escape');
      await keyboard.press('j');
      await keyboard.press('j');
      const title = await page.locator('[role=row][data-cursor=true] a').innerText();
      await keyboard.press('Enter');
      await page.getByLabel('Alert', { exact: true }).getByRole('heading', { name: title }).waitFor();
      await keyboard.press('Escape');
      await page.getByLabel('Alert', { exact: true }).waitFor({ state: 'detached' });
      await keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });

    it('handles keys after a click on a filter or a time range', async () => {
      const page = await browser.open('/alerts');
      const { keyboard } = page;
      const cursor = page.locator('[role=row][data-cursor=true] a');
      const panel = page.getByLabel('Alert', { exact: true });
      await page.getByRole('checkbox', { name: /^high/ }).check();
      await page.waitForURL('**/alerts?severity=high');
      await page.locator('[role=cell] a').first().waitFor();
      await keyboard.press('j');
      await keyboard.press('Enter');
      await panel.waitFor();
      await keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: '30 d' }).click();
      await page.waitForURL('**window=30d');
      await page.locator('[role=cell] a').first().waitFor();
      await keyboard.press('j');
      await keyboard.press('j');
      const title = await cursor.innerText();
      await keyboard.press('Enter');
      await panel.getByRole('heading', { name: title }).waitFor();
      await keyboard.press('Escape');
      await page.getByRole('checkbox', { name: /^high/ }).uncheck();
      await keyboard.press('/');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await keyboard.press('Escape');
      await page.getByRole('checkbox', { name: /^high/ }).check();
      await followShortcut(page, 'm', 'Metrics');
    });

    it('opens a row by a click anywhere, and its page by its link', async () => {
      const page = await browser.open('/alerts?severity=high&sort=hostname');
      const row = page.locator('[role=row]', { has: page.getByRole('link') }).first();
      const link = row.getByRole('link');
      const href = (await link.getAttribute('href'))!;
      expect(href).toMatch(/^\/alerts\/[^/]+\?severity=high&sort=hostname$/);
      // The link covers the empty part of a cell.
      await row.locator('[role=cell]').last().click({ force: true });
      await page.waitForURL('**/alerts?severity=high&sort=hostname&alert=*');
      await page.goto(new URL(href, page.url()).href);
      await page.getByRole('link', { name: 'All alerts' }).click();
      await page.waitForURL('**/alerts?severity=high&sort=hostname');

      await page.goto(new URL('/gpus?view=table&sort=host', page.url()).href);
      await row.locator('[role=cell]').last().click({ force: true });
      await page.waitForURL('**/gpus/*?view=table&sort=host');
      await page.getByRole('link', { name: 'All GPUs' }).click();
      await page.waitForURL('**/gpus?view=table&sort=host');
    });

    it.each(['/alerts', '/gpus?view=table'])('has the filters of %s in a sheet on a phone', async (path) => {
      const page = await browser.open(path, { viewport: { width: 390, height: 844 }, hasTouch: true });
      const first = page.url();
      const open = page.getByRole('button', { name: 'Filters' });
      const sheet = page.getByRole('dialog', { name: 'Filters' });
      const show = sheet.getByRole('button', { name: /^Show [\d,]+ (alert|GPU)s?$/ });
      await open.click();
      const total = await show.innerText();
      await sheet.getByRole('checkbox').first().check();
      await eventually(async () => expect(await show.innerText()).not.toBe(total));
      // Back closes the sheet and keeps the filter; the next one leads to the list without it.
      await page.goBack();
      await sheet.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
      await page.goBack();
      await page.waitForURL(first);

      await open.click();
      await sheet.waitFor();
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
      await page.waitForURL(first);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Filters');
      await page.locator('[role=cell] a').first().waitFor();
      // Lower than the list of a small fleet.
      await page.setViewportSize({ width: 390, height: 420 });
      await eventually(async () => {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
        expect(await page.evaluate('window.scrollY')).toBeGreaterThan(0);
      });
    });

    it('opens a GPU and creates a key with the keyboard alone', async () => {
      const page = await browser.open('/');
      const { keyboard } = page;
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
      await followShortcut(page, 'g', 'GPUs');
      await focusWithTab(page, 'Table');
      await keyboard.press('Enter');
      await page.locator('[role=row] a').first().waitFor();
      await focusWithTab(page, 'GPUs');
      await keyboard.press('j');
      const href = await page.locator('[role=row][data-cursor=true] a').getAttribute('href');
      await keyboard.press('Enter');
      await page.waitForURL(`**${href}`);
      await page.getByLabel('Health', { exact: true }).waitFor();
      await focusWithTab(page, '7 days');
      await keyboard.press('Space');
      await page.waitForURL('**window=7d');

      await followShortcut(page, 'k', 'Keys');
      await focusWithTab(page, 'Create a key');
      await keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Create a key' });
      await dialog.waitFor();
      await keyboard.type('keyboard test');
      await keyboard.press('Enter');
      const secret = page.getByRole('dialog', { name: 'is ready' });
      await secret.waitFor();
      await focusWithTab(page, 'I have stored it');
      await keyboard.press('Enter');
      await secret.waitFor({ state: 'detached' });
      await focusWithTab(page, /^Delete keyboard test, /);
      await keyboard.press('Enter');
      await focusWithTab(page, 'Delete the key');
      await keyboard.press('Enter');
      await page.getByRole('row', { name: /keyboard test/ }).waitFor({ state: 'detached' });
    });

    it('saves, opens and deletes a view with the keyboard alone', async () => {
      const page = await browser.open('/alerts?severity=critical');
      const { keyboard } = page;
      const view = page.getByRole('link', { name: 'Red ones' });
      const hasFocus = (text: string) =>
        eventually(async () => expect(await page.evaluate('document.activeElement.textContent')).toBe(text));
      await focusWithTab(page, 'Views');
      await keyboard.press('Enter');
      await focusWithTab(page, 'Name of the view');
      await keyboard.type('Red ones');
      await keyboard.press('Enter');
      await view.waitFor();
      await keyboard.press('Escape');
      await view.waitFor({ state: 'hidden' });
      await hasFocus('Views');

      await followShortcut(page, 'o', 'Fleet');
      await followShortcut(page, 'a', 'Alerts');
      await focusWithTab(page, 'Views');
      await keyboard.press('Enter');
      await focusWithTab(page, 'Red ones');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      await keyboard.press('Enter');
      await page.waitForURL('**/alerts?severity=critical');
      await view.waitFor({ state: 'hidden' });
      await hasFocus('Views');
      await keyboard.press('Enter');
      await focusWithTab(page, 'Delete the view Red ones');
      await keyboard.press('Enter');
      await view.waitFor({ state: 'detached' });
      await hasFocus('Views');
    });

    it('follows a value of an alert with the keyboard alone', async () => {
      const { alerts } = await browser.api<{ alerts: { id: string; description: string }[] }>(
        'fleet/alerts:search?q=pid',
      );
      const [pid] = alerts.flatMap(({ description }) => /\bpid \d{2,}\b/.exec(description)?.[0] ?? []);
      const { id } = alerts.find(({ description }) => description.includes(pid!))!;
      const page = await browser.open(`/alerts/${id}`);
      await page.getByRole('link', { name: pid!, exact: true }).first().waitFor();
      await focusWithTab(page, pid!);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/alerts?q=${pid!.replace(' ', '+')}*`);
      await eventually(async () => expect(await page.evaluate('document.activeElement.id')).toBe('view'));
      await page.goBack();
      await page.waitForURL(`**/alerts/${id}`);
    });

    it('names an unknown page and leads back', async () => {
      const page = await browser.open('/unknown');
      await page.getByText('There is no such page.').waitFor();
      await page.getByRole('link', { name: 'Go to the overview' }).click();
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    });
  });
}

/** Presses `g` and a key until the view has opened: the two must follow each other within a second. */
async function followShortcut(page: Page, key: string, heading: string): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: heading, exact: true }).waitFor({ timeout: 5_000 });
  });
}

/** Presses Tab until a control with this name has the focus. It may appear later. */
async function focusWithTab(page: Page, name: string | RegExp): Promise<void> {
  await eventually(async () => {
    for (let presses = 0; presses < 100; presses++) {
      const focused = await page.evaluate<string>(
        "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
      );
      if (name instanceof RegExp ? name.test(focused) : focused.trim() === name) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab did not reach "${String(name)}".`);
  });
}
