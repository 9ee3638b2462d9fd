import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../support/browser.ts';
import { richContent } from '../support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from '../support/website.ts';

const PAGES = [
  '/',
  '/blog',
  '/blog/everything',
  '/blog/third',
  '/blog/tag/xid',
  '/blog/category/engineering',
  '/developers',
  '/contact',
];
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let database: TestDatabase;
let website: RunningService;
let browser: Browser;
/** One for all: this build of Chromium is a single process, which ends with its first context. */
let context: BrowserContext;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, richContent);
  website = await startWebsite(runtimeUrl(database));
  browser = await startBrowser();
  context = await browser.newContext({ baseURL: website.publicUrl });
}, 60_000);

afterAll(async () => {
  await browser.close();
  await website.close();
  await database.drop();
});

/** A picture for people to look at, where SCREENSHOTS names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function violations(page: Page): Promise<string[]> {
  // The page's own policy forbids scripts; the audit is let past it, the page is not changed.
  await page.evaluate(axeSource);
  const options: RunOptions = { resultTypes: ['violations'] };
  const results = await page.evaluate(
    (given) => (globalThis as unknown as { axe: { run(options: object): Promise<unknown> } }).axe.run(given),
    options as object,
  );
  return (results as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

describe.each([
  ['light', 'light', { width: 1280, height: 900 }],
  ['dark', 'dark', { width: 1280, height: 900 }],
  ['phone', 'light', { width: 360, height: 740 }],
] as const)('in a browser, %s', (look, colorScheme, viewport) => {
  it.each(PAGES)('%s is free of barriers, fits its width and loads nothing that it may not', async (path) => {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(request.url()));
    page.on('response', (response) => {
      if (!response.ok()) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(path);
    await picture(page, `${look}${path.replaceAll('/', '-')}`);
    expect(complaints).toEqual([]);
    // Contrast differs with the colours, nothing else does.
    if (look !== 'phone') expect(await violations(page)).toEqual([]);
    const overflow = await page.evaluate(
      `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
    );
    expect(overflow).toBe(0);
    await page.close();
  });
});

describe('by keyboard', () => {
  it('leads to the content first', async () => {
    const page = await context.newPage();
    await page.goto('/blog/everything');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.close();
  });
});

describe('a post', () => {
  it('weighs less than 60 KiB with its styles, before images and even uncompressed', async () => {
    const page = await context.newPage();
    const loaded: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'image') loaded.push(response.body());
    });
    await page.goto('/blog/everything', { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(loaded)).reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(60 * 1024);
    await page.close();
  });
});
