import { type ConsoleBrowser, eventually } from './console-browser.ts';

/** Finds hosts, GPUs, alerts and views with the keyboard. */
export function describePalette(browser: ConsoleBrowser): void {
  describe('the palette', () => {
    it('opens a host, a GPU and an alert by a part of its name, and lists the recent ones', async () => {
      const { gpus } = await browser.api<{ gpus: { hostname: string; gpu_id: string }[] }>(
        'fleet/gpus?view=basic',
      );
      const { hostname, gpu_id } = gpus[0]!;
      const page = await browser.open('/');
      const { keyboard } = page;
      const palette = page.getByRole('dialog', { name: 'Find' });
      const field = palette.getByRole('combobox');
      const option = (group: string) => palette.getByRole('group', { name: group }).getByRole('option');
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();

      await keyboard.press('Control+k');
      await field.fill(hostname.slice(1));
      await option('Hosts').filter({ hasText: hostname }).first().waitFor();
      await keyboard.press('Enter');
      await page.waitForURL(`**/hosts/${hostname}`);
      await page.getByRole('heading', { level: 1, name: hostname }).waitFor();
      expect(await palette.count()).toBe(0);

      // Without a search field in the view, "/" opens the palette too.
      await keyboard.press('/');
      await field.fill(gpu_id);
      await option('GPUs').first().waitFor();
      await keyboard.press('Enter');
      await page.waitForURL(`**/gpus/${gpu_id}`);
      await page.getByLabel('Health', { exact: true }).waitFor();

      const { alerts } = await browser.api<{ alerts: { id: string; title: string }[] }>(
        'fleet/alerts?page_size=1&sort=timestamp',
      );
      const { title } = alerts[0]!;
      await page.getByRole('button', { name: /^Find/ }).click();
      await eventually(async () =>
        expect(await option('Recent').allInnerTexts()).toEqual([
          expect.stringContaining(hostname),
          expect.stringContaining(hostname),
        ]),
      );
      await field.fill(title);
      await option('Alerts').filter({ hasText: title }).first().click();
      await page.waitForURL('**/alerts/*');
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    });

    it('opens the incidents of a code and a view, and says when nothing is found', async () => {
      const page = await browser.open('/alerts');
      const { keyboard } = page;
      const palette = page.getByRole('dialog', { name: 'Find' });
      await page.locator('[role=cell] a').first().waitFor();
      // A list keeps "/" for its own search.
      await keyboard.press('/');
      expect(await palette.count()).toBe(0);
      await keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('xid 79');
      await palette.getByRole('option', { name: /^XID 79/ }).waitFor();
      await keyboard.press('Enter');
      await page.waitForURL('**/xids?code=79&window=30d');
      await keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('no such thing');
      await palette.getByText('Nothing is called “no such thing”.').waitFor();
      await palette.getByRole('combobox').fill('metr');
      await eventually(async () =>
        expect(await palette.getByRole('option').first().innerText()).toContain('Metrics'),
      );
      await keyboard.press('Enter');
      await page.waitForURL('**/metrics');
      await keyboard.press('Control+k');
      await keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
    });
  });
}
