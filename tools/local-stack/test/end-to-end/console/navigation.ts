import type { ConsoleBrowser } from './console-browser.ts';

export function describeNavigation(browser: ConsoleBrowser): void {
  describe('navigation', () => {
    it('keeps the state of a view in its URL', async () => {
      const page = await browser.open('/alerts');
      await page.getByRole('checkbox', { name: /^high/ }).check();
      await page.getByLabel('Order').selectOption('hostname');
      await page.waitForURL('**/alerts?severity=high&sort=hostname');
      const total = page.getByText(/^[\d,]+ alerts$/);
      await page.goBack();
      await page.waitForURL('**/alerts?severity=high');
      expect(await page.getByLabel('Order').inputValue()).toBe('-timestamp');
      await page.goForward();
      await page.waitForURL('**/alerts?severity=high&sort=hostname');
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
      await keyboard.press('g');
      await keyboard.press('a');
      await page.locator('[role=cell] button').first().waitFor();
      await keyboard.press('/');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await keyboard.press('Escape');
      await page.evaluate('document.activeElement.blur()');
      await keyboard.press('j');
      await keyboard.press('j');
      const title = await page.locator('[role=row][data-cursor=true] button').innerText();
      await keyboard.press('Enter');
      await page.getByLabel('Alert', { exact: true }).getByRole('heading', { name: title }).waitFor();
      await keyboard.press('Escape');
      await page.getByLabel('Alert', { exact: true }).waitFor({ state: 'detached' });
      await keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await keyboard.press('Tab');
    });

    it('names an unknown page and leads back', async () => {
      const page = await browser.open('/alerts');
      await page.evaluate(
        "history.pushState(null, '', '/unknown'); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await page.getByText('There is no such page.').waitFor();
    });
  });
}
