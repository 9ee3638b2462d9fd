import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@gpu-observatory/testing/browser';
import { APPEARANCES, violationsOf } from './accessibility.ts';
import { measureRecommendedCalls } from './recommended-calls.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

const SIGN_IN_GUIDE = new URL('../../docs/signing-in.md', import.meta.url);
const MAX_REFERENCE_BYTES = 300 * 1024;

/** Tests the documents for agents and the pages that all services share, with the running services. */
export function describeDocuments(shared: SharedStack): void {
  const text = async (url: string, accept = '*/*') => (await fetch(url, { headers: { accept } })).text();
  const services = () => {
    const { fleet_url, account_url, site_url } = shared.sandbox.stack();
    return [fleet_url, account_url, site_url];
  };

  describe('the documents for agents', () => {
    it.each(['llms.txt', 'agents.md'])('%s links only to pages that exist', async (name) => {
      const document = await text(`${shared.sandbox.stack().site_url}/${name}`);
      // Code has base URLs and requests with placeholders.
      const prose = document.replace(/`[^`]*`/g, '').replace(/^ {4,}.*$/gm, '');
      const urls = new Set(prose.match(/https?:\/\/[^\s)>]*[^\s)>.,:]/g));
      expect(urls.size).toBeGreaterThan(4);
      const statuses = await Promise.all([...urls].map(async (url) => `${(await fetch(url)).status} ${url}`));
      expect(statuses.filter((status) => !status.startsWith('200 '))).toEqual([]);
    });

    it('agents.md has steps that lead to an access token', async () => {
      const { site_url, account_url } = shared.sandbox.stack();
      const document = await text(`${site_url}/agents.md`);
      const start = /^ +(http\S+)code_challenge=CHALLENGE$/m.exec(document)?.[1] ?? '';
      const redirectUri = /"redirect_uri": "([^"]+)"/.exec(document)?.[1] ?? '';
      const verifier = randomBytes(32).toString('base64url');
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const callback = await signInWithoutBrowser(`${start}code_challenge=${challenge}`, 'ada@acme.example');
      expect(callback.href).toContain(`${redirectUri}/auth/callback?code=`);
      const response = await fetch(`${account_url}/api/v1/auth/token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({
          code: callback.searchParams.get('code'),
          redirect_uri: redirectUri,
          code_verifier: verifier,
        }),
      });
      const { access_token: bearer } = (await response.json()) as { access_token: string };
      expect(await getJson(`${account_url}/api/v1/me`, bearer)).toMatchObject({ status: 200 });
    });

    it('agents.md has sizes that the recommended calls do not exceed', async () => {
      const { fleet_url } = shared.sandbox.stack();
      const calls = await measureRecommendedCalls(fleet_url, await tokenOf(shared, 'ada@acme.example'));
      expect(calls.filter(({ bytes, measuredBytes }) => measuredBytes > bytes * 1.25)).toEqual([]);
      // A list has as many rows as its page size here and in the demo fleet, or fewer of the same size.
      const lists = calls.flatMap(({ path, bytes, measuredBytes, rows }) => {
        const pageSize = Number(/page_size=(\d+)/.exec(path)?.[1]);
        return rows ? [{ path, ratio: measuredBytes / rows / (bytes / pageSize) }] : [];
      });
      expect(lists).toHaveLength(2);
      for (const { path, ratio } of lists) expect([path, ratio > 0.6 && ratio < 1.6]).toEqual([path, true]);
    });
  });

  describe('the API reference', () => {
    it('is negotiated on all services, and small', async () => {
      for (const url of services()) {
        const html = await text(`${url}/docs`, 'text/html');
        const markdown = await text(`${url}/docs.md`);
        expect(await text(`${url}/docs`, 'text/markdown')).toBe(markdown);
        const files = [...html.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, path]) => path);
        expect(new Set(files).size).toBe(4);
        const parts = await Promise.all([...new Set(files)].map((path) => text(url + path)));
        const bytes = [html, ...parts].reduce((sum, part) => sum + gzipSync(part).length, 0);
        expect(bytes).toBeLessThan(MAX_REFERENCE_BYTES);
        const { paths } = JSON.parse(await text(`${url}/openapi.json`)) as {
          paths: Record<string, Record<string, { operationId: string }>>;
        };
        for (const [path, item] of Object.entries(paths)) {
          for (const [method, { operationId }] of Object.entries(item)) {
            expect(html).toContain(`<article class="operation" id="${operationId}"`);
            expect(markdown).toContain(`\`${method.toUpperCase()} ${path}\``);
          }
        }
      }
    });
  });

  describe('the guide to sign-in', () => {
    it('has a page that signs a user in and lists alerts', async () => {
      const { account_url, fleet_url } = shared.sandbox.stack();
      const [, html = ''] = /```html\n([^]*?)```/.exec(readFileSync(SIGN_IN_GUIDE, 'utf8')) ?? [];
      const body = html
        .replace('http://localhost:3002', account_url)
        .replace('http://localhost:3001', fleet_url);
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end(body);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      // The port of the guide may be in use.
      const browser = await openBrowser(`--host-resolver-rules=MAP localhost:5173 127.0.0.1:${port}`);
      const page = await browser.newPage({ locale: 'en-US' });
      await page.goto('http://localhost:5173/');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('button[name=email][value="ada@acme.example"]').click();
      await page.getByText('"alerts": [').waitFor();
      expect(page.url()).toBe('http://localhost:5173/');
      await browser.close();
      server.close();
    });
  });

  describe('the shared pages in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it.each(APPEARANCES)(
      'axe finds no violation in %s at %i px, and nothing overflows',
      async (colorScheme, width) => {
        const { account_url } = shared.sandbox.stack();
        const page = await browser.newPage({
          locale: 'en-US',
          colorScheme,
          viewport: { width, height: 900 },
        });
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        page.on('console', (message) => {
          if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
            errors.push(message.text());
        });
        const start = `${account_url}/api/v1/auth/github?frontend_url=`;
        const pages = [
          ...services().map((url) => `${url}/docs`),
          `${start}https://wrong.example`,
          start + encodeURIComponent('http://localhost:4173'),
        ];
        const findings: string[] = [];
        for (const url of pages) {
          await page.goto(url);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.evaluate("document.querySelector('.request')?.setAttribute('open', '')");
          findings.push(...(await violationsOf(page)).map((violation) => `${url}: ${violation}`));
          if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
            findings.push(`${url}: scrolls sideways`);
        }
        await page.close();
        expect([...findings, ...errors]).toEqual([]);
      },
    );

    it('search hides other operations, and copy buttons exist', async () => {
      const page = await browser.newPage({ locale: 'en-US' });
      await page.goto(`${shared.sandbox.stack().fleet_url}/docs`);
      await page.keyboard.press('/');
      await page.keyboard.type('timeline');
      await page.getByText('1 found.').waitFor();
      expect(await page.locator('.operation:visible h3').allTextContents()).toEqual([
        "List an alert's timeline events, oldest first",
      ]);
      await page.keyboard.press('Escape');
      expect(await page.locator('.operation:visible').count()).toBe(17);
      const samples = await page.locator('.sample:visible').count();
      expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(samples);
      await page.close();
    });

    it('sends a request of an operation to the service, with a token that nothing stores', async () => {
      const { fleet_url } = shared.sandbox.stack();
      const page = await browser.newPage({ locale: 'en-US' });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(`${fleet_url}/docs`);
      const operation = page.locator('#listAlerts');
      const outcome = operation.getByRole('status');
      const send = () => operation.getByRole('button', { name: 'Send', exact: true }).click();
      await operation.getByText('Send a request').click();
      await send();
      await outcome.getByText('401 Unauthorized').waitFor();

      const token = await tokenOf(shared, 'ada@acme.example');
      await operation.getByLabel('Access token').fill(token);
      await operation.getByLabel('page_size').fill('1');
      await operation.getByLabel('Another parameter').selectOption('filter[title][contains]');
      await operation.getByRole('button', { name: 'Add', exact: true }).click();
      await page.keyboard.type('/');
      expect(await operation.getByLabel('filter[title][contains]').inputValue()).toBe('/');
      await operation.getByLabel('filter[title][contains]').fill('');
      await send();
      await outcome.getByText('200 OK').waitFor();
      const { alerts } = JSON.parse(await operation.locator('.result code').innerText()) as {
        alerts: object[];
      };
      expect(alerts).toHaveLength(1);
      await operation.getByText('Response headers').click();
      await operation.getByText(/^content-type: application\/json/m).waitFor();
      await operation.getByLabel('Another parameter').selectOption('If-None-Match');
      await operation.getByRole('button', { name: 'Add', exact: true }).click();
      await page.keyboard.type('*');
      await send();
      await outcome.getByText('304').waitFor();
      expect(await violationsOf(page)).toEqual([]);

      // Other operations use the same token. A path parameter cannot lead to another path.
      const detail = page.locator('#getGpu');
      await detail.getByText('Send a request').click();
      expect(await detail.getByLabel('Access token').inputValue()).toBe(token);
      await detail.getByLabel('id').fill('//other.example/../a b');
      await detail.getByRole('button', { name: 'Send', exact: true }).click();
      await detail.getByRole('status').getByText('404 Not Found').waitFor();
      expect(requests.at(-1)).toBe(`${fleet_url}/api/v1/gpus/%2F%2Fother.example%2F..%2Fa%20b`);
      await detail.getByLabel('id').fill('..');
      await detail.getByRole('button', { name: 'Send', exact: true }).click();
      await detail.getByRole('status').getByText('A path parameter must not be').waitFor();

      expect(requests.filter((url) => !url.startsWith(fleet_url) || url.includes(token))).toEqual([]);
      const stored = await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
      expect(stored).toEqual([0, 0, '']);
      await page.reload();
      expect(await page.locator('[data-scheme]').first().inputValue()).toBe('');
      await page.close();
    });
  });
}
