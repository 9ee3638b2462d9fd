import type { Page, Route } from 'playwright-core';
import { type ConsoleBrowser, eventually, VIEWS } from './console-browser.ts';

const HOSTILE = [
  '<script>document.title = "attacked"</script>',
  '<img src=x onerror="document.title=\'attacked\'">',
  '\u202Ereversed \u0645\u0631\u062D\u0628\u0627',
  '👩‍🚀'.repeat(40),
  'w'.repeat(4_096),
];

export function describeFailures(browser: ConsoleBrowser): void {
  describe('failures', () => {
    it.each(VIEWS.filter((view) => view !== '/keys'))(
      'shows in %s that the service is away, counts down and recovers',
      async (view) => {
        const page = await browser.open('/keys');
        await page.getByRole('heading', { name: 'Keys' }).waitFor();
        await page.context().route('**/api/v1/{alerts,gpus,metrics}**', (route) => route.abort());
        await page.goto(new URL(view, page.url()).href);
        await page.getByText('The service cannot be reached.').first().waitFor();
        await page
          .getByRole('button', { name: /^Try again now \(\d+ s\)$/ })
          .first()
          .waitFor();
        await page.getByText('not updating').waitFor();
        await page.context().unrouteAll();
        await page
          .getByRole('button', { name: /^Try again now/ })
          .first()
          .click();
        await page.getByText('The service cannot be reached.').first().waitFor({ state: 'detached' });
      },
    );

    it.each(['/alerts', '/gpus', '/gpus?view=table'])(
      'shows hostile texts as text in %s, within the width of the page',
      async (view) => {
        const page = await browser.open('/keys');
        await page.context().route('**/api/v1/{alerts,gpus}?**', replaceTexts);
        await page.goto(new URL(view, page.url()).href);
        await page.getByRole('main').getByText('document.title', { exact: false }).first().waitFor();
        expect(await page.title()).not.toBe('attacked');
        await eventually(async () => expect(await overflowOf(page)).toBe(0));
        await page.setViewportSize({ width: 360, height: 800 });
        await eventually(async () => expect(await overflowOf(page)).toBe(0));
      },
    );

    it('shows hostile texts as text in an alert', async () => {
      const { alerts } = await browser.api<{ alerts: { id: string }[] }>('fleet/alerts?page_size=1');
      const page = await browser.open('/keys');
      await page.context().route('**/api/v1/alerts/**', replaceTexts);
      for (const path of [`/alerts/${alerts[0]!.id}`, `/alerts?alert=${alerts[0]!.id}`]) {
        await page.setViewportSize({ width: 1_280, height: 800 });
        await page.goto(new URL(path, page.url()).href);
        await page.getByText('<script>document.title', { exact: false }).first().waitFor();
        expect(await page.title()).not.toBe('attacked');
        await eventually(async () => expect(await overflowOf(page)).toBe(0));
        await page.setViewportSize({ width: 360, height: 800 });
        await eventually(async () => expect(await overflowOf(page)).toBe(0));
      }
    });
  });
}

/** Fields whose values are texts of users, hosts and processes. */
const TEXT_FIELDS =
  /^(title|description|hostname|model|driver_version|serial_no|workspace_name|event_info|comm|command_line|pwd|name)$/;

/** Replaces the texts of a response; each object gets the next hostile one. */
async function replaceTexts(route: Route): Promise<void> {
  const response = await route.fetch();
  let n = 0;
  const replace = (key: string, value: unknown) =>
    TEXT_FIELDS.test(key) && typeof value === 'string' ? HOSTILE[n++ % HOSTILE.length] : value;
  const body = JSON.stringify(await response.json(), replace);
  await route.fulfill({ response, body });
}

/** Returns by how many px the page is wider than the window. */
async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
