import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeExamplePage(shared: SharedStack): void {
  describe('the example page in a browser', () => {
    let browser: Browser;
    let page: Page;
    const pageErrors: string[] = [];

    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    beforeEach(async () => {
      page = await (await browser.newContext()).newPage();
      page.on('pageerror', (error) => pageErrors.push(error.message));
      await page.goto(`http://localhost:${shared.sandbox.portBase}/`);
    });
    afterEach(async () => {
      await page.context().close();
      expect(pageErrors).toEqual([]);
    });

    const signIn = async (provider: string, email: string) => {
      await page.getByRole('button', { name: `Sign in with ${provider}` }).click();
      await page.locator(`button[name=email][value="${email}"]`).click();
    };

    it('signs Ada in with GitHub and shows her name, alerts and GPUs', async () => {
      await signIn('GitHub', 'ada@acme.example');
      await page.locator('#gpus tr').first().waitFor();
      expect(await page.locator('#user').innerText()).toContain('Ada Lovelace, ada@acme.example');
      expect(await page.locator('#alerts tr').count()).toBe(20);
      expect(await page.locator('#alerts td:first-child').allInnerTexts()).toEqual(
        Array(20).fill(expect.stringMatching(/^(critical|high|medium|low|info)$/)),
      );
      expect(await page.locator('#gpus', { hasText: 'imported-host' }).count()).toBe(1);
      expect(await page.locator('#gpus td:first-child').allInnerTexts()).toContain('healthy');
      expect(page.url()).toBe(`http://localhost:${shared.sandbox.portBase}/`); // without the code

      await page.reload();
      await page.locator('#gpus tr').first().waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
      expect(await page.locator('main').isVisible()).toBe(false);
    });

    it('signs Grace in with Google and does not show her the GPUs of Ada’s customer', async () => {
      await signIn('Google', 'grace@globex.example');
      await page.locator('#gpus tr').first().waitFor();
      expect(await page.locator('#user').innerText()).toContain('grace@globex.example');
      expect(await page.locator('#gpus', { hasText: 'imported-host' }).count()).toBe(0);
    });

    it('rejects a code of a sign-in that it did not start', async () => {
      const exchanges: string[] = [];
      page.on('request', (request) => void (request.method() === 'POST' && exchanges.push(request.url())));
      await page.goto(`http://localhost:${shared.sandbox.portBase}/auth/callback?code=of-another-user`);
      await page.locator('#message:not(:empty)').waitFor();
      expect(await page.locator('#message').innerText()).toBe('The sign-in was not started in this tab.');
      expect(exchanges).toEqual([]);
    });

    it('shows Nina that her domain is not allowed', async () => {
      await signIn('GitHub', 'nina@nowhere.example');
      await page.locator('#message:not(:empty)').waitFor();
      expect(await page.locator('#message').innerText()).toBe('Sign-in failed: domain_not_allowed');
      expect(await page.getByRole('button', { name: 'Sign in with Google' }).isVisible()).toBe(true);
    });
  });
}
