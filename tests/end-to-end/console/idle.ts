import type { Page, Request } from 'playwright-core';
import { type ConsoleBrowser, eventually, everyView } from './console-browser.ts';

const POLL_MS = 5_000;

export function describeIdleTab(browser: ConsoleBrowser): void {
  it('the page of a GPU that is left open follows the imports of samples', async () => {
    const { gpus } = await browser.api<{ gpus: { gpu_id: string; health: string }[] }>(
      'fleet/gpus?view=basic',
    );
    const id = encodeURIComponent(gpus.find(({ health }) => health === 'healthy')!.gpu_id);
    const page = await browser.open(`/gpus/${id}`);
    const reading = page.locator('dl > div', { has: page.getByText('Power', { exact: true }) }).locator('dd');
    const shown = new Set<string>();
    await eventually(async () => {
      const { gpu } = await browser.api<{ gpu: { telemetry: { power_draw_w: number } } }>(`fleet/gpus/${id}`);
      const { power_draw_w: watts } = gpu.telemetry;
      const text = watts.toLocaleString('en-US', { maximumFractionDigits: watts < 1_000 ? 1 : 0 });
      // The page may be one poll later than the API.
      expect((await reading.innerText()).split(' ')[0]).toBe(text);
      shown.add(text);
      expect(shown.size).toBeGreaterThan(1);
    });
    expect(await page.getByRole('banner').first().innerText()).toMatch(/updated (now|\d+ sec ago)/);
  });

  it('an idle tab of each view sends one conditional request per 5 s, and none while it is hidden', async () => {
    const page = await browser.open('/keys');
    await page.clock.install();
    const requests: Request[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/v1/')) requests.push(request);
    });
    const views = await everyView(browser);
    // One of each kind by day: they poll in one place.
    for (const view of process.env.NIGHTLY_SEED ? views : ['/', '/alerts', views.at(-1)!]) {
      await page.goto(new URL(view, page.url()).href);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      // The live feed changes the data now and then; the view loads it, and is idle again after that.
      await eventually(async () => {
        requests.length = 0;
        const polls = [await nextPoll(page), await nextPoll(page)];
        expect([view, ...polls]).toEqual([view, 304, 304]);
        expect(requests.map((request) => request.url()).filter((url) => !isPoll(url))).toEqual([]);
        expect(requests).toHaveLength(2);
      });

      await show(page, 'hidden');
      requests.length = 0;
      await passPolls(page, 10);
      expect(requests.map((request) => request.url())).toEqual([]);
      await show(page, 'visible');
      await nextPoll(page);
    }
  });
}

const isPoll = (url: string) => /\/gpus\?view=basic&page_size=1$/.test(url);

/** Advances the clock by one poll. Returns the status of its response, undefined if the request was unconditional. */
async function nextPoll(page: Page): Promise<number | undefined> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'GET' && isPoll(each.url())),
    passPolls(page, 1),
  ]);
  const status = (await request.response())?.status();
  return 'if-none-match' in request.headers() ? status : undefined;
}

/** Advances the clock of the page, one poll at a time, so that each request can be sent. */
async function passPolls(page: Page, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await page.clock.runFor(POLL_MS);
}

async function show(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
}
