import type { Page } from 'playwright-core';
import type { ConsoleBrowser } from './console-browser.ts';

const POLL_MS = 5_000;

export function describeIdleTab(browser: ConsoleBrowser): void {
  describe('an idle tab', () => {
    it('polls with conditional requests, and not at all while it is hidden', async () => {
      const page = await browser.open('/keys');
      await page.clock.install();
      await page.reload();
      await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
      const nextPoll = () =>
        page.waitForRequest((request) => isPoll(request.url()) && 'if-none-match' in request.headers());
      const [poll] = await Promise.all([nextPoll(), passPolls(page, 2)]);
      expect([200, 304]).toContain((await poll.response())?.status());

      await show(page, 'hidden');
      const whileHidden: string[] = [];
      page.on('request', (request) => {
        if (isPoll(request.url())) whileHidden.push(request.url());
      });
      await passPolls(page, 10);
      expect(whileHidden).toEqual([]);

      await Promise.all([nextPoll(), show(page, 'visible').then(() => passPolls(page, 2))]);
    });
  });
}

const isPoll = (url: string) => /\/alerts\?.*page_size=1(&|$)/.test(url);

/** Advances the clock of the page, one poll at a time, so that each request can be sent. */
async function passPolls(page: Page, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await page.clock.runFor(POLL_MS);
}

async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
}
