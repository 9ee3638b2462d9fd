import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { freePort } from '@gpu-observatory/embedded-database';
import { type ExamplePage, startExamplePage } from '../src/example-page/example-page.ts';
import { portsFrom } from '../src/ports.ts';

const source = readFileSync(new URL('../src/example-page/index.html', import.meta.url), 'utf8');
let page: ExamplePage;
let base: number;

beforeAll(async () => {
  base = await freePort();
  page = await startExamplePage(portsFrom(base));
});

afterAll(() => page.stop());

const get = (path: string) => fetch(`http://127.0.0.1:${base}${path}`);

it('has less than 100 lines and contains the default ports', () => {
  expect(source.trimEnd().split('\n').length).toBeLessThan(100);
  expect(source.match(/http:\/\/localhost:\d+/g)?.sort()).toEqual(
    [3000, 3001, 3002, 3002, 3002].map((port) => `http://localhost:${port}`),
  );
});

it('never inserts responses as HTML', () => {
  const code = source.replaceAll(/\/\/.*/g, '');
  expect(code).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
});

it.each(['/', '/auth/callback?code=abc'])('is served at %s with the URLs of this stack', async (path) => {
  const response = await get(path);
  const html = await response.text();
  expect(html).toContain(`<input type="hidden" name="frontend_url" value="http://localhost:${base}" />`);
  expect(html).toContain(`const fleetUrl = 'http://localhost:${base + 1}/api/v1';`);
  expect(html).toContain(`const accountUrl = 'http://localhost:${base + 2}/api/v1';`);
  expect(html).not.toContain('localhost:3000');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');

  const policy = response.headers.get('content-security-policy');
  const script = /<script type="module">([^]*)<\/script>/.exec(html)?.[1] ?? '';
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(policy).toContain(`connect-src http://localhost:${base + 2} http://localhost:${base + 1};`);
});

it('serves a stylesheet and no other files', async () => {
  expect((await get('/page.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect((await get('/index.html')).status).toBe(404);
  expect((await get('/../package.json')).status).toBe(404);
});
