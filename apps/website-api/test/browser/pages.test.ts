import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestDatabase } from '@gpu-observatory/testing';
import type { RunningService } from '@gpu-observatory/service-runtime';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '@gpu-observatory/testing/browser';
import { COMMITTED_CONTENT, committedContent } from '../support/committed-content.ts';
import { send } from '../support/http.ts';
import { richContent } from '../support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from '../support/website.ts';

const NIGHTLY = process.env['NIGHTLY_SEED'] !== undefined;
const posts = (folders: string[]) => folders.map((name) => `/blog/${name}`);
const committedPosts = readdirSync(join(COMMITTED_CONTENT, 'posts'));
const PAGES = [
  '/',
  '/blog',
  ...posts(NIGHTLY ? committedPosts : committedPosts.slice(-2)),
  ...posts(['everything', 'second', 'third']),
  '/blog/category/engineering',
  '/blog/tag/xid',
  '/developers',
  '/contact',
  '/contact/sent',
];
/**
 * Contrast depends on the color scheme and layout on the width, so the first two combinations cover all values. The test
 * audits all four at night, and with SCREENSHOTS set, which captures them.
 */
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { look: 'phone-dark', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;
const looks = NIGHTLY || process.env['SCREENSHOTS'] ? LOOKS : LOOKS.slice(0, 2);
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let database: TestDatabase;
let website: RunningService;
let browser: Browser;
/** Shared by all tests: this Chromium build is a single process that exits when its first context closes. */
let context: BrowserContext;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, { ...(await committedContent()), ...richContent });
  website = await startWebsite(runtimeUrl(database));
  browser = await openBrowser();
  context = await browser.newContext({ baseURL: website.publicUrl });
});

afterAll(async () => {
  await browser.close();
  await website.close();
  await database.drop();
});

/** Saves a screenshot to the folder in SCREENSHOTS, if set. */
async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

async function violations(page: Page): Promise<string[]> {
  const options: RunOptions = { resultTypes: ['violations'] };
  const results = await page.evaluate(
    (axeOptions) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<unknown> } }).axe.run(axeOptions),
    options as object,
  );
  return (results as AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

describe('in a browser', () => {
  it.each(PAGES)(
    '%s passes axe in light and dark mode, fits every width and causes no console messages or failed loads',
    async (path) => {
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('requestfailed', (request) => problems.push(request.url()));
      page.on('response', (response) => {
        if (!response.ok()) problems.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(path);
      expect(problems).toEqual([]);
      // evaluate() is exempt from the content security policy of the page.
      await page.evaluate(axeSource);
      for (const { look, colorScheme, viewport } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await screenshot(page, `${look}${path.replaceAll('/', '-')}`);
        expect([look, await violations(page)]).toEqual([look, []]);
        const overflow = await page.evaluate(
          `document.documentElement.scrollWidth - document.documentElement.clientWidth`,
        );
        expect([look, overflow]).toEqual([look, 0]);
      }
      await page.close();
    },
  );
});

describe('keyboard navigation', () => {
  it('starts with a link to the content', async () => {
    const page = await context.newPage();
    await page.goto('/blog/everything');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.close();
  });
});

describe('a post', () => {
  it.each(PAGES.filter((path) => path.startsWith('/blog/') && path.split('/').length === 3))(
    '%s has less than 60 KiB with its stylesheets, uncompressed and without images',
    async (path) => {
      const page = await send(website.publicUrl, path);
      const styles = [...page.text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
      const loaded = await Promise.all(styles.map(([, href]) => send(website.publicUrl, String(href))));
      const bytes = [page, ...loaded].reduce((sum, { bytes: { length } }) => sum + length, 0);
      expect(loaded).toHaveLength(3);
      expect(bytes).toBeLessThan(60 * 1024);
    },
  );

  it('loads only stylesheets, images and one script', async () => {
    const page = await context.newPage();
    const loaded = new Set<string>();
    page.on('request', (request) => {
      // The browser itself requests the icon, at a time of its own.
      if (!/favicon\.ico$|dome\.svg$/.test(request.url())) loaded.add(request.resourceType());
    });
    await page.goto('/blog/everything', { waitUntil: 'networkidle' });
    expect([...loaded].sort()).toEqual(['document', 'image', 'script', 'stylesheet']);
    await page.close();
  });
});

describe('a code block', () => {
  it('has a button that copies it, and none without JavaScript', async () => {
    const page = await context.newPage();
    await page.goto('/blog/everything');
    // The clipboard of a headless browser needs a permission that this build does not support.
    await page.evaluate(`navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }`);
    const button = page.locator('.code').first().locator('button');
    await button.press('Enter');
    expect(await page.evaluate('globalThis.copied')).toBe(
      "# the driver's own words\ndmesg --time-format iso | grep -E 'NVRM: Xid' | tail -n 3",
    );
    expect(await button.textContent()).toBe('Copied');
    await page.locator('.code button', { hasText: 'Copied' }).waitFor({ state: 'detached' });
    expect(await page.locator('.code button').allTextContents()).toEqual(['Copy', 'Copy', 'Copy']);
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))`);
    await button.click();
    expect(await button.textContent()).toBe('Not copied');
    await page.close();
    const { text } = await send(website.publicUrl, '/blog/everything');
    expect(text).not.toContain('<button');
  });

  it('fits the text and scrolls inside, and a diagram is legible on a phone', async () => {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/blog/miners-on-gpu-nodes');
    const { text, blocks } = await page.evaluate<{ text: number; blocks: number[] }>(`({
      text: document.querySelector('.prose > p').getBoundingClientRect().right,
      blocks: [...document.querySelectorAll('.prose pre')].map((block) => block.getBoundingClientRect().right),
    })`);
    expect(blocks.length).toBeGreaterThan(3);
    for (const right of blocks) expect(right).toBeLessThanOrEqual(text);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/blog/xid-79-first-ten-minutes');
    const { shown, region } = await page.evaluate<{ shown: number; region: number }>(`({
      shown: document.querySelector('.diagram img').clientWidth,
      region: document.querySelector('.diagram').clientWidth,
    })`);
    // The diagram is 720 pixels wide and its smallest text 12.
    expect(shown / 720).toBeGreaterThan(0.85);
    expect(region).toBeLessThanOrEqual(390);
    await page.close();
  });
});
