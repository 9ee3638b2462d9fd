import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { getJson, tokenOf } from '../requests.ts';
import type { SharedStack } from '../shared-stack.ts';
import { type ConsoleBrowser, eventually } from './console-browser.ts';

export function describeSessions(shared: SharedStack, browser: ConsoleBrowser): void {
  describe('sessions', () => {
    it('returns to the view where a sign-in with Google started, without the code', async () => {
      const page = await browser.visit('/gpus?view=table');
      await browser.signIn(page, 'Google', 'grace@globex.example');
      await page.getByRole('heading', { name: 'GPUs', exact: true }).waitFor();
      expect(page.url()).toBe(`${shared.sandbox.stack().console_url}/gpus?view=table`);
    });

    it('shows a user nothing of another customer', async () => {
      const { fleet_url } = shared.sandbox.stack();
      const foreign = await browser.api<{ alerts: { id: string }[] }>('fleet/alerts?page_size=1');
      const page = await browser.visit('/gpus?view=table');
      await browser.signIn(page, 'GitHub', 'grace@globex.example');
      await page.getByRole('table', { name: 'GPUs' }).waitFor();
      const { body } = await getJson(
        `${fleet_url}/api/v1/gpus?view=basic`,
        await tokenOf(shared, 'grace@globex.example'),
      );
      const gpus = body['gpus'] as { hostname: string }[];
      await page.getByText(`${gpus.length} GPUs`, { exact: true }).waitFor();
      const hosts = await page.locator('[role=row] a bdi').allInnerTexts();
      expect(hosts.filter((host) => !gpus.some(({ hostname }) => hostname === host))).toEqual([]);
      expect(hosts).not.toContain('imported-host');

      await page.goto(`${shared.sandbox.stack().console_url}/alerts/${foreign.alerts[0]!.id}`);
      await page.getByText('It does not exist, or you may not see it.').waitFor();
    });

    it('explains a denied sign-in with the domain of the user', async () => {
      const page = await browser.visit('/');
      await browser.signIn(page, 'GitHub', 'nina@nowhere.example');
      const message = await page.getByRole('alert').innerText();
      expect(message).toMatch(/^Your organization is not set up here/);
      await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
    });

    it('rejects a code of a sign-in that the tab did not start', async () => {
      const page = await browser.visit('/');
      await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
      const exchanges: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/token')) exchanges.push(request.url());
      });
      await page.goto(`${shared.sandbox.stack().console_url}/auth/callback?code=of-another-user`);
      await page.getByText('This tab did not start a sign-in.').waitFor();
      expect(exchanges).toEqual([]);
    });

    it('rejects a code of another sign-in in a tab that started one', async () => {
      const { console_url, account_url } = shared.sandbox.stack();
      const page = await browser.visit('/metrics');
      await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
      await page.locator('button[name=email]').first().waitFor();
      const start = `${account_url}/api/v1/auth/github?frontend_url=${encodeURIComponent(console_url)}`;
      const planted = await signInWithoutBrowser(start, 'grace@globex.example');
      await page.goto(planted.href);
      await page.getByText('This sign-in has expired or was already used. Sign in again.').waitFor();
      expect(new URL(page.url()).pathname).toBe('/metrics');
      await page.reload();
      await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
    });

    it('leaves every tab when the user signs out in one', async () => {
      const page = await browser.visit('/alerts');
      await browser.signIn(page, 'GitHub', 'alan@acme.example');
      // The second tab shares the session once the first has exchanged its code.
      await page.getByRole('heading', { name: 'Alerts' }).waitFor();
      const other = await page.context().newPage();
      await other.goto(`${shared.sandbox.stack().console_url}/metrics`);
      await other.getByRole('heading', { name: 'Metrics' }).waitFor();
      await page.locator('summary', { hasText: 'Menu of Alan Turing' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      for (const each of [page, other]) await each.getByText('You have signed out.').waitFor();
    });

    it('lists the sessions of the user, ends one, and signs out everywhere', async () => {
      const page = await browser.visit('/alerts');
      await browser.signIn(page, 'GitHub', 'alan@acme.example');
      const other = await browser.visit('/alerts');
      await browser.signIn(other, 'Google', 'alan@acme.example');
      for (const each of [page, other]) await each.getByRole('heading', { name: 'Alerts' }).waitFor();
      const token = await tokenOf(shared, 'alan@acme.example');
      const statusOfToken = async () =>
        (await getJson(`${shared.sandbox.stack().account_url}/api/v1/me`, token)).status;

      await page.locator('summary', { hasText: 'Menu of Alan Turing' }).click();
      await page.getByRole('button', { name: 'Sessions' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your sessions' });
      await dialog.getByText('This session').waitFor();
      const [first, ...rest] = await dialog.getByRole('listitem').allInnerTexts();
      expect(first).toContain('node');
      expect(rest.filter((text) => text.includes('Chrome on Linux')).length).toBeGreaterThanOrEqual(2);
      await dialog.getByRole('button', { name: 'End the session of node' }).first().click();
      await eventually(async () => expect(await statusOfToken()).toBe(401));

      await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
      await dialog.getByRole('button', { name: 'End all sessions' }).click();
      await page.getByText('You have signed out.').waitFor();
      await other.getByText('Your session has expired.').waitFor();
    });

    it('shows the sign-in page with a reason when the session ends elsewhere', async () => {
      const page = await browser.visit('/alerts?severity=critical');
      await browser.signIn(page, 'GitHub', 'vera@acme.example');
      await page.getByRole('heading', { name: 'Alerts' }).waitFor();
      await page.context().clearCookies();
      await page.getByText('Your session has expired. Sign in again to continue where you were.').waitFor();
      await browser.signIn(page, 'GitHub', 'vera@acme.example');
      await page.getByRole('heading', { name: 'Alerts' }).waitFor();
      expect(new URL(page.url()).search).toBe('?severity=critical');
    });
  });
}
