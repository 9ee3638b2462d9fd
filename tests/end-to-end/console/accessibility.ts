import { APPEARANCES, violationsOf } from '../accessibility.ts';
import { type ConsoleBrowser, eventually, everyView } from './console-browser.ts';

export function describeAccessibility(browser: ConsoleBrowser): void {
  describe('accessibility', () => {
    it.each(APPEARANCES)('axe finds no violation in %s at %i px', async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const views = [
        ...(await everyView(browser)),
        '/alerts?title=matches-nothing',
        '/alerts/00000000-0000-4000-8000-000000000000',
        '/alerts?window=24h&compare=before&not_severity=info&columns=workspace,gpu,serial,key',
        '/alerts?group=host',
        '/alerts?window=24h&not_hostname=a,b&not_title=c',
        '/hosts?health=healthy&model=matches-nothing',
        '/xids?window=30d',
        '/usage?by=host&window=30d',
        // A sheet on a phone.
        '/alerts?filters=open',
        '/gpus?filters=open',
      ];
      const page = await browser.open('/', options);
      const violations = [];
      for (const view of views) {
        await page.goto(new URL(view, page.url()).href);
        await page.getByRole('heading', { level: 1 }).or(page.getByRole('alert')).first().waitFor();
        await page.locator('[role=status]', { hasText: 'Loading' }).first().waitFor({ state: 'detached' });
        violations.push(...(await violationsOf(page)).map((violation) => `${view}: ${violation}`));
      }
      await page.goto(new URL('/keys', page.url()).href);
      await page.getByRole('button', { name: 'Create a key' }).click();
      violations.push(...(await violationsOf(page)).map((violation) => `create a key: ${violation}`));
      await page.reload();
      await page.locator('summary', { hasText: 'Menu of' }).click();
      await page.getByRole('button', { name: 'Sessions' }).click();
      await page.getByText('This session').waitFor();
      violations.push(...(await violationsOf(page)).map((violation) => `sessions: ${violation}`));
      const visitor = await browser.visit('/', options);
      await visitor.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
      violations.push(...(await violationsOf(visitor)).map((violation) => `sign-in: ${violation}`));
      await page.goto(new URL('/', page.url()).href);
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
      await page
        .context()
        .route('**/api/v1/{alerts,gpu,hosts,xid,fleet,metrics}**', (route) => route.abort());
      await page.getByRole('region', { name: 'Connection' }).waitFor();
      violations.push(...(await violationsOf(page)).map((violation) => `unreachable: ${violation}`));
      expect(violations).toEqual([]);
    });

    it('gives every chart a name and a table of its numbers', async () => {
      const page = await browser.open('/');
      for (const view of await everyView(browser)) {
        await page.goto(new URL(view, page.url()).href);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.locator('[role=status]', { hasText: 'Loading' }).first().waitFor({ state: 'detached' });
        const charts = await page.evaluate<string[][]>(
          `[...document.querySelectorAll('figure')].map((figure) => [
            figure.querySelector('[role=img]')?.getAttribute('aria-label') ?? '',
            figure.querySelector('caption')?.textContent ?? '',
            String(figure.querySelectorAll('tbody td').length > 0),
            figure.querySelector('canvas[role=img]') ? 'cells' : '',
          ])`,
        );
        for (const [label, caption, hasNumbers, cells] of charts) {
          // One table row per GPU would be too slow: the table of GPUs has them.
          if (cells === 'cells') expect([view, label]).toEqual([view, expect.stringContaining('table')]);
          else expect([view, caption, hasNumbers]).toEqual([view, expect.stringMatching(/./), 'true']);
        }
        if (!/^\/(keys|gpus\?|hosts$|xids|usage)/.test(view))
          expect([view, charts.length]).not.toEqual([view, 0]);
      }
    });

    it('has the counts of the severity trend in its table', async () => {
      const page = await browser.open('/');
      const panel = page.locator('section', {
        has: page.getByRole('heading', { name: 'Alerts, last 72 hours' }),
      });
      await panel.getByRole('table').waitFor({ state: 'attached' });
      await eventually(async () => {
        const cells = await panel.locator('td').allTextContents();
        const total = cells.reduce((sum, cell) => sum + Number(cell), 0);
        expect(await panel.getByRole('link').innerText()).toBe(`${total.toLocaleString('en-US')} alerts`);
      });
    });

    it.each([
      ['reduce', 0],
      ['no-preference', 1],
    ] as const)(
      'moves nothing on its own under prefers-reduced-motion only: %s',
      async (reducedMotion, min) => {
        const page = await browser.open('/keys', { reducedMotion });
        await page
          .context()
          .route('**/api/v1/{alerts,gpu,hosts,xid,fleet,metrics}**', () => new Promise(() => {}));
        for (const view of ['/', '/alerts', '/hosts', '/gpus', '/xids', '/usage', '/metrics']) {
          await page.goto(new URL(view, page.url()).href);
          await page.locator('main [role=status]', { hasText: 'Loading' }).first().waitFor();
          const animations = await page.evaluate<number>('document.getAnimations().length');
          expect([view, Math.min(animations, 1)]).toEqual([view, min]);
        }
      },
    );
  });
}
