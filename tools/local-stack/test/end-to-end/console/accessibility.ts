import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { type ConsoleBrowser, VIEWS } from './console-browser.ts';

export function describeAccessibility(browser: ConsoleBrowser): void {
  describe('accessibility', () => {
    it.each([
      ['light', 1_280],
      ['dark', 1_280],
      ['light', 360],
    ] as const)('axe finds no violation in %s at %i px', async (colorScheme, width) => {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const { alerts } = await browser.api<{ alerts: { id: string }[] }>(
        'fleet/alerts?page_size=1&sort=severity',
      );
      const { gpus } = await browser.api<{ gpus: { gpu_id: string }[] }>('fleet/gpus?view=basic');
      const id = alerts[0]!.id;
      const views = [
        ...VIEWS,
        '/alerts?title=matches-nothing',
        `/alerts?alert=${id}`,
        `/alerts/${id}`,
        '/alerts/00000000-0000-4000-8000-000000000000',
        `/gpus/${encodeURIComponent(gpus[0]!.gpu_id)}`,
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
      expect(violations).toEqual([]);
    });
  });
}

/** Runs axe in the page. The debugger evaluates its source, which the Content-Security-Policy allows. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}
