import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '@gpu-observatory/local-stack';
import type { BrowserContext, Page } from 'playwright-core';
import { type ConsoleBrowser, fetchBody } from './console-browser.ts';

const MAX_SCRIPT_KB = 150;
const GPUS = 10_000;
const UNHEALTHY = 1_000;
const POLL = '?view=basic&page_size=1';

/** Checks the budgets of requests and bytes, which do not depend on the machine. See apps/console/README.md#budgets. */
export function describeBudgets(browser: ConsoleBrowser): void {
  describe('budgets', () => {
    it(`the first view needs at most ${MAX_SCRIPT_KB} kB of compressed JavaScript`, async () => {
      const page = await browser.open('/keys');
      const scripts = new Set<string>();
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.endsWith('.js')) scripts.add(pathname);
      });
      await page.goto(new URL('/', page.url()).href);
      await page.getByLabel('Fleet by host and health').locator('canvas').waitFor();
      expect(scripts.size).toBeGreaterThan(1);
      const files = [...scripts].map((path) => readFileSync(join(root, 'apps/console/dist', path)));
      const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
      expect(bytes / 1_000).toBeLessThanOrEqual(MAX_SCRIPT_KB);
    });

    it.each(['/', '/hosts', '/gpus', '/xids', '/usage'])(
      `%s sends the same requests for ${GPUS} GPUs, ${UNHEALTHY} of them unhealthy`,
      async (path) => {
        const page = await browser.open('/keys');
        const ofFleet = await requestsOf(page, path);
        expect(ofFleet.length).toBeGreaterThan(0);
        await makeLarge(page.context());
        expect(await requestsOf(page, path)).toEqual(ofFleet);
      },
    );
  });
}

/** Returns the paths that a view requests from the API until its data is shown, in alphabetic order, without polls. */
async function requestsOf(page: Page, path: string): Promise<string[]> {
  const paths: string[] = [];
  const view = new URL(path, page.url()).href;
  // Without the requests of the view before.
  await page.goto('about:blank');
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.includes('/api/v1/') && search !== POLL) paths.push(pathname);
  });
  await page.goto(view);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  page.removeAllListeners('request');
  // Imports of the live feed make views repeat requests.
  return [...new Set(paths)].sort();
}

/** Repeats the GPUs of the lists. */
async function makeLarge(context: BrowserContext): Promise<void> {
  for (const [list, count] of Object.entries({ gpus: GPUS, 'gpu-status': UNHEALTHY })) {
    const isList = ({ pathname, search }: URL) => pathname.endsWith(`/api/v1/${list}`) && search !== POLL;
    await context.route(isList, async (route) => {
      const response = await fetchBody(route);
      const { gpus } = (await response.json()) as { gpus: { gpu_id: string; hostname: string }[] };
      const many = Array.from({ length: count }, (_, n) => {
        const gpu = gpus[n % gpus.length]!;
        return { ...gpu, gpu_id: `${gpu.gpu_id}-${n}`, hostname: `${gpu.hostname}-${n >> 3}` };
      });
      await route.fulfill({ response, json: { gpus: many } });
    });
  }
}
