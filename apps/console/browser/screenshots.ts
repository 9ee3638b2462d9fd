import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { consoleUrl, openBrowser, signIn } from './running-stack.ts';
import { type Ids, shots } from './shots.ts';

const VARIANTS: Record<string, BrowserContextOptions> = {
  'light-1280': { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' },
  'dark-1280': { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' },
  'light-360': { viewport: { width: 360, height: 800 }, colorScheme: 'light', hasTouch: true },
  'dark-360': { viewport: { width: 360, height: 800 }, colorScheme: 'dark', hasTouch: true },
  'dark-2560': { viewport: { width: 2_560, height: 1_300 }, colorScheme: 'dark' },
};

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: npm run screenshots -w apps/console -- FOLDER [names of views]\n');
  process.exit(1);
}
const target = resolve(process.env.INIT_CWD ?? '.', folder);
mkdirSync(target, { recursive: true });
const url = consoleUrl();
const browser = await openBrowser();
const selected = shots.filter(({ name }) => names.length === 0 || names.includes(name));
const { storageState, ids } = await prepare();
for (const [variant, options] of Object.entries(VARIANTS)) {
  for (const shot of selected) {
    const context = await browser.newContext({
      ...options,
      ...(!shot.isSignedOut && { storageState }),
    });
    const page = await context.newPage();
    const report = (text: string) => process.stderr.write(`${shot.name} ${variant}: ${text}\n`);
    page.on('pageerror', ({ message }) => report(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) report(message.text());
    });
    try {
      await shot.before?.(context);
      await page.goto(url + (typeof shot.path === 'string' ? shot.path : shot.path(ids)));
      await settled(page);
      await shot.act?.(page);
      await page.screenshot({ path: join(target, `${shot.name}-${variant}.png`) });
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (overflow > 0) report(`${overflow} px wider than the window`);
      for (const violation of await violationsOf(page)) report(violation);
    } catch (error) {
      report((error as Error).message);
    }
    await context.close();
  }
}
await browser.close();

/** Signs in and finds an alert, a host and a GPU with much to show. */
async function prepare() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page);
  await page.getByRole('link', { name: 'Alerts', exact: true }).first().waitFor();
  await page.goto(`${url}/alerts?severity=critical&type=gpu_usage`);
  await page.locator('[role=cell] a').first().click();
  await page.waitForURL(/alert=/);
  const alert = new URL(page.url()).searchParams.get('alert') ?? '';
  await page.goto(`${url}/gpus?view=table&sort=health`);
  const gpu = await page.locator('[role=cell] a').first().getAttribute('href');
  await page.goto(`${url}/hosts`);
  const host = await page.locator('[role=cell] a').first().getAttribute('href');
  const result: { storageState: Awaited<ReturnType<typeof context.storageState>>; ids: Ids } = {
    storageState: await context.storageState(),
    ids: { alert, host: pathOf(host), gpu: pathOf(gpu) },
  };
  await context.close();
  return result;
}

/** Returns a link without the parameters of its list. */
function pathOf(link: string | null): string {
  return link?.split('?')[0] ?? '';
}

/** Runs axe in the page. The debugger evaluates its source, which the Content-Security-Policy allows. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

/** Waits until the data is drawn. Polling never ends, so the network is no measure. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading').or(page.getByRole('alert')).first().waitFor();
  await page
    .locator('[role=status]', { hasText: 'Loading' })
    .first()
    .waitFor({ state: 'detached', timeout: 10_000 })
    .catch(() => undefined);
  await page.waitForTimeout(400);
}
