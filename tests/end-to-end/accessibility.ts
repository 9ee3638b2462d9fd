import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Color schemes and widths in px in which pages are checked: each once, and all pairs at night. */
export const APPEARANCES: ['light' | 'dark', number][] = process.env.NIGHTLY_SEED
  ? [
      ['light', 1_280],
      ['dark', 1_280],
      ['light', 360],
      ['dark', 360],
    ]
  : [
      ['light', 1_280],
      ['dark', 360],
    ];

/** Runs axe in the page. The debugger evaluates its source, which the Content-Security-Policy allows. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 5)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  );
}
