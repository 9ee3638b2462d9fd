import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { consoleUrl, openBrowser, signIn } from './running-stack.ts';

/** Writes the pictures of the website and of docs/: views of the console in light and dark, and an image per post for link previews. */
const website = fileURLToPath(new URL('../../website-api/', import.meta.url));
const assets = join(website, 'src/assets/files');
const posts = join(website, 'content/posts');
const docs = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const TOKENS = new URL(import.meta.resolve('@gpu-observatory/visual-identity/tokens.css'));
const SHARE_SIZE = { width: 1_200, height: 630 };

mkdirSync(docs, { recursive: true });
const browser = await openBrowser();
const sharePage = await browser.newPage({ colorScheme: 'dark', viewport: SHARE_SIZE });
writeFileSync(
  join(assets, 'share.png'),
  await shareImage(sharePage, 'Health and security of every GPU in your fleet', ''),
);
for (const folder of readdirSync(posts)) {
  const text = readFileSync(join(posts, folder, 'index.md'), 'utf8');
  const field = (name: string) =>
    new RegExp(`^${name}: *'?(.*?)'?$`, 'm').exec(text)?.[1]?.replaceAll("''", "'") ?? '';
  writeFileSync(
    join(posts, folder, 'share.png'),
    await shareImage(sharePage, field('title'), field('category')),
  );
}
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({
    locale: 'en-US',
    colorScheme,
    viewport: { width: 1_280, height: 800 },
  });
  await signIn(page);
  await page.getByLabel('Fleet by host and health').locator('canvas').waitFor();
  await takePicture(page, join(assets, `console-${colorScheme}.png`));

  await page.goto(`${consoleUrl()}/alerts?severity=critical&type=gpu_usage`);
  await page.locator('[role=cell] a').first().click();
  await page.waitForURL(/alert=/);
  await takePicture(page, join(docs, `alerts-${colorScheme}.png`));

  await page.goto(`${consoleUrl()}/gpus?view=table&sort=health`);
  await page.locator('[role=cell] a').first().click();
  await page.waitForURL(/gpus\/./);
  await takePicture(page, join(docs, `gpu-${colorScheme}.png`));

  await page.goto(`${consoleUrl()}/hosts`);
  await page.locator('[role=cell] a').first().waitFor();
  await page.getByText('Model, GPUs').waitFor();
  await takePicture(page, join(docs, `hosts-${colorScheme}.png`));

  await page.goto(`${consoleUrl()}/xids`);
  await page.getByRole('heading', { name: 'XIDs' }).waitFor();
  await takePicture(page, join(docs, `xids-${colorScheme}.png`));

  await page.goto(`${consoleUrl()}/keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('Wall screen');
  await page.getByLabel('May read').check();
  await takePicture(page, join(docs, `keys-${colorScheme}.png`), page.getByRole('dialog'));
  await page.close();
}
await browser.close();

/** Takes a picture of the page, or of a part, once nothing loads and charts are drawn. */
async function takePicture(page: Page, path: string, part: Page | Locator = page): Promise<void> {
  const loading = page.locator('[role=status]', { hasText: 'Loading' }).first();
  await loading.waitFor({ state: 'detached' });
  await page.waitForTimeout(1_000);
  await part.screenshot({ path });
}

/** Draws a title under a dome of dots, in the colors of the site. */
async function shareImage(target: Page, title: string, category: string): Promise<Buffer> {
  const tokens = readFileSync(TOKENS, 'utf8');
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  await target.setContent(`<style>${tokens}
    body { margin: 0; padding: 64px 72px; height: ${SHARE_SIZE.height}px; box-sizing: border-box; background: var(--paper);
      color: var(--ink); display: flex; flex-direction: column; overflow: hidden; position: relative; }
    p { margin: 0; font: 600 22px/1 var(--mono); letter-spacing: 0.14em; text-transform: uppercase; }
    .category { color: var(--quiet); margin-top: 20px; font-size: 18px; }
    h1 { margin: auto 0 0; font: 500 64px/1.12 var(--serif); max-width: 960px; text-wrap: balance; }
    svg { position: absolute; right: -60px; top: 40px; width: 560px; opacity: 0.8; }
  </style><svg viewBox="0 0 560 280">${dots()}</svg><p>GPU Observatory</p><p class="category">${escaped(category)}</p>
  <h1>${escaped(title)}</h1>`);
  return target.screenshot();
}

function dots(): string {
  return Array.from({ length: 8 }, (_unused, ring) => {
    const radius = 90 + ring * 24;
    const count = Math.round(radius / 7);
    return Array.from({ length: count }, (_also, n) => {
      const angle = (Math.PI * (n + 0.5)) / count;
      const color =
        (ring * 31 + n * 7) % 41 === 3 ? 'critical' : (ring * 17 + n * 5) % 37 === 2 ? 'degraded' : 'healthy';
      const [x, y] = [280 - radius * Math.cos(angle), 276 - radius * Math.sin(angle)];
      return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4" fill="var(--${color})"/>`;
    }).join('');
  }).join('');
}
