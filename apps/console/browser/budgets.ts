import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { APIResponse, Page, Route } from 'playwright-core';
import { consoleUrl, openBrowser, signIn } from './running-stack.ts';

const IDLE_MS = 20_000;
/** Time between two polls of the data version. */
const POLL_MS = 5_000;
/** Time in which a page paints many GPUs that it has received. */
const LOAD_MS = 5_000;
const MANY_GPUS = 10_000;
const MANY_UNHEALTHY = 1_000;
const MANY_ALERTS = 100_000;

const url = consoleUrl();
const browser = await openBrowser();
const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
const page = await context.newPage();
const scripts: string[] = [];
page.on('response', (response) => {
  const { origin, pathname } = new URL(response.url());
  if (origin === url && pathname.endsWith('.js')) scripts.push(pathname);
});

await signIn(page);
print('Sign-in done to overview painted', await paintedMs(page), 'ms', 800);
const loaded = new Set(scripts.map((path) => fileURLToPath(new URL(`../dist${path}`, import.meta.url))));
const bytes = [...loaded].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
print('JavaScript for the first view, gzip', bytes / 1_000, 'kB', 150);

await page.goto(`${url}/alerts`);
await page.locator('[role=cell] a').first().waitFor();
await page.locator('fieldset label', { hasText: 'low' }).first().waitFor();
print('Filter click to new rows painted', await filterMs(page), 'ms', 150);
await page.waitForTimeout(1_000);
await idle(page);

const blank = await context.newPage();
await blank.goto(`${url}/dome.svg`);
process.stdout.write(
  `Longest frame of a picture that moves, for comparison: ${await longestFrameMs(blank)} ms\n`,
);
await blank.close();
await context.route(isAlertPage, manyAlerts());
await page.goto(`${url}/alerts`);
await page.getByText('100,000 alerts').waitFor();
await page.locator('[role=cell] a').first().waitFor();
const heapBefore = await heapMb(page);
print('Scrolling 100,000 alerts, longest frame', await longestFrameMs(page), 'ms', 50);
await scrollToEnd(page);
const heapAtEnd = await heapMb(page);
await page.evaluate("document.querySelector('[role=table]').scrollTop = 0");
await page.locator('[role=cell] a').first().waitFor();
const heaps = [heapBefore, heapAtEnd, await heapMb(page)].map((heap) => `${heap.toFixed(0)} MB`);
process.stdout.write(
  `Heap before scrolling, at the end, back at the start: ${heaps.join(', ')}; ` +
    `${await page.evaluate<number>("document.querySelectorAll('[role=row]').length")} rows in the document\n`,
);

await context.route(isGpuList, async (route) => {
  const response = await route.fetch();
  const { gpus } = (await response.json()) as { gpus: { gpu_id: string; hostname: string }[] };
  const many = Array.from({ length: MANY_GPUS }, (_, n) => {
    const gpu = gpus[n % gpus.length]!;
    return {
      ...gpu,
      gpu_id: `${gpu.gpu_id}-${n}`,
      hostname: `${gpu.hostname}-${Math.floor(n / gpus.length)}`,
    };
  });
  await route.fulfill({ response, json: { gpus: many } });
});
await context.route('**/api/v1/gpu-status?**', async (route) => {
  const response = await route.fetch();
  const { gpus } = (await response.json()) as { gpus: { gpu_id: string; hostname: string }[] };
  const many = Array.from({ length: MANY_UNHEALTHY }, (_, n) => {
    const gpu = gpus[n % gpus.length]!;
    return { ...gpu, gpu_id: `${gpu.gpu_id}-${n}`, hostname: `${gpu.hostname}-${n >> 2}` };
  });
  await route.fulfill({ response, json: { gpus: many } });
});
for (const [title, path] of [
  ['dome', '/'],
  ['grid', '/gpus'],
  ['table', '/gpus?view=table'],
]) {
  print(
    `10,000 GPUs, 1,000 unhealthy: ${title}, longest task`,
    await longestTaskMs(page, url + path),
    'ms',
    100,
  );
}
await browser.close();

function print(title: string, value: number, unit: string, budget: number): void {
  const verdict = value <= budget ? '' : '  over budget';
  process.stdout.write(
    `${title.padEnd(44)} ${value.toFixed(0).padStart(6)} ${unit}  (${budget})${verdict}\n`,
  );
}

/**
 * Returns the time from the begin of the navigation to the frame that shows the dome. The page checks in each frame: a locator would
 * look twice a second.
 */
async function paintedMs(target: Page): Promise<number> {
  return target.evaluate<number>(`new Promise((resolve) => {
    const check = () => {
      if (document.querySelector('section[aria-label="Fleet by host and health"] canvas'))
        requestAnimationFrame(() => resolve(performance.now()));
      else requestAnimationFrame(check);
    };
    check();
  })`);
}

/** Clicks a facet and returns the time until the frame that shows the first row of the result. */
async function filterMs(target: Page): Promise<number> {
  return target.evaluate<number>(`new Promise((resolve) => {
    const box = [...document.querySelectorAll('fieldset label')].find((label) => /^low/.test(label.textContent.trim()));
    const start = performance.now();
    const check = () => {
      const marks = [...document.querySelectorAll('[role=row] [data-kind^=severity]')];
      if (marks.length > 0 && marks.every((mark) => mark.dataset.kind === 'severity-low'))
        requestAnimationFrame(() => resolve(performance.now() - start));
      else requestAnimationFrame(check);
    };
    box.querySelector('input').click();
    check();
  })`);
}

/** Whether a request is for a page of the list of alerts, which has an order. */
function isAlertPage({ pathname, searchParams }: URL): boolean {
  return pathname.endsWith('/api/v1/alerts') && searchParams.has('sort');
}

/** Whether a request is for the list of GPUs, not for the first of them, which polls. */
function isGpuList({ pathname, searchParams }: URL): boolean {
  return pathname.endsWith('/api/v1/gpus') && !searchParams.has('page_size');
}

/** Returns a route handler that repeats the first page of the service until there are `MANY_ALERTS`. */
function manyAlerts(): (route: Route) => Promise<void> {
  let first: { response: APIResponse; alerts: { id: string }[] } | undefined;
  return async (route) => {
    if (first === undefined) {
      const response = await route.fetch();
      first = { response, alerts: ((await response.json()) as { alerts: { id: string }[] }).alerts };
    }
    const { response, alerts } = first;
    const { searchParams } = new URL(route.request().url());
    const start = Number(searchParams.get('page_token') ?? 0);
    const end = Math.min(MANY_ALERTS, start + Number(searchParams.get('page_size')));
    const page = Array.from({ length: end - start }, (_unused, n) => {
      const alert = alerts[(start + n) % alerts.length]!;
      return { ...alert, id: `${alert.id}-${start + n}` };
    });
    const next = end < MANY_ALERTS ? { next_page_token: String(end) } : {};
    await route.fulfill({ response, json: { alerts: page, total_size: MANY_ALERTS, ...next } });
  };
}

/** Scrolls to the last row, in steps that wait until the rows in view have arrived. */
async function scrollToEnd(target: Page): Promise<void> {
  for (let isAtEnd = false; !isAtEnd;) {
    isAtEnd = await target.evaluate<boolean>(`(() => {
      const table = document.querySelector('[role=table]');
      table.scrollTop += 60_000;
      return table.scrollTop + table.clientHeight >= table.scrollHeight - 1;
    })()`);
    await target.locator('[role=cell] a').first().waitFor();
  }
}

/** Returns the size of the JavaScript heap without garbage. */
async function heapMb(target: Page): Promise<number> {
  const session = await target.context().newCDPSession(target);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1_000_000;
}

/** Scrolls for 3 s, or moves a picture, and returns the longest time between two frames. */
async function longestFrameMs(target: Page): Promise<number> {
  return target.evaluate<number>(`new Promise((resolve) => {
    const scroller = document.querySelector('[role=table]');
    const picture = document.querySelector('svg');
    const start = performance.now();
    let [last, longest] = [start, 0];
    const step = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      if (scroller) scroller.scrollTop += 40;
      else picture.style.transform = 'translateX(' + ((now - start) % 100) + 'px)';
      if (now - start < 3000) requestAnimationFrame(step);
      else resolve(longest);
    };
    requestAnimationFrame(step);
  })`);
}

/** Counts the polls of a tab that is left alone, and the requests that load what imports have changed. */
async function idle(target: Page): Promise<void> {
  const urls: string[] = [];
  target.on('request', (request) => {
    if (request.method() === 'GET') urls.push(request.url());
  });
  await target.waitForTimeout(IDLE_MS);
  target.removeAllListeners('request');
  const polls = urls.filter((address) => /\/gpus\?view=basic&page_size=1$/.test(address)).length;
  const title = `Polls of an idle tab in ${IDLE_MS / 1_000} s, and ${urls.length - polls} requests after imports`;
  print(title, polls, '  ', IDLE_MS / POLL_MS);
}

/** Returns the longest task of the main thread while a page loads. */
async function longestTaskMs(target: Page, address: string): Promise<number> {
  await target.addInitScript(`window.longest = 0; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: 'longtask', buffered: true })`);
  const listed = target.waitForResponse((response) => isGpuList(new URL(response.url())));
  await target.goto(address);
  await listed;
  // A locator that waits would search the page on its main thread, as long as the view itself needs.
  await target.waitForTimeout(LOAD_MS);
  // The browser reports tasks from 50 ms on.
  const longest = await target.evaluate<number>('window.longest');
  await target.getByText('10,000', { exact: false }).first().waitFor();
  return longest;
}
