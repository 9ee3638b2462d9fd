import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { openBrowser } from '@gpu-observatory/testing/browser';
import { createSandbox, type Sandbox, StackProgram } from './support/stack-program.ts';

let sandbox: Sandbox;
let program: StackProgram;
let certificate: string;

beforeAll(async () => {
  sandbox = await createSandbox();
  program = new StackProgram('main', [...sandbox.flags, '--no-demo', '--https']);
  await program.waitUntilReady();
  certificate = readFileSync(sandbox.stack().certificate_file!, 'utf8');
});
afterAll(async () => {
  program.kill('SIGTERM');
  await program.ended;
  await sandbox.remove();
});

async function get(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const sent = request(url, { headers, agent: new Agent({ ca: certificate }) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return [response.statusCode!, await text(response)];
}

it('prints https URLs and the certificate to trust', () => {
  const { console_url, certificate_file } = sandbox.stack();
  expect(console_url).toBe(`https://localhost:${sandbox.portBase + 6}`);
  expect(program.output).toContain(`Sign in at ${console_url}`);
  expect(program.output).toContain(`Trust the certificate ${certificate_file} first`);
  expect(program.output).not.toContain('Safari');
});

it('signs a user in at the console, in a browser that trusts the certificate', async () => {
  const { console_url } = sandbox.stack();
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(key).digest('base64');
  const browser = await openBrowser(`--ignore-certificate-errors-spki-list=${hash}`);
  try {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(console_url);
    await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
    await page.locator('button[name=email][value="ada@acme.example"]').click();
    await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(console_url);
    const cookies = await context.cookies(console_url);
    expect(cookies.filter(({ name }) => name.startsWith('__Host-')).map(({ secure }) => secure)).toEqual([
      true,
      true,
      true,
    ]);
  } finally {
    await browser.close();
  }
});

it('prints a token that the services accept over https', async () => {
  const { account_url, fleet_url } = sandbox.stack();
  const printed = new StackProgram('token', [
    '--email',
    'ada@acme.example',
    '--data-directory',
    sandbox.dataDirectory,
  ]);
  expect([await printed.ended, printed.errors]).toEqual([0, '']);
  const headers = { authorization: `Bearer ${printed.output.trim()}` };
  expect((await get(`${account_url}/api/v1/me`, headers))[0]).toBe(200);
  expect((await get(`${fleet_url}/api/v1/gpus`, headers))[0]).toBe(200);
});

it('has links with https in documents of the services', async () => {
  const { account_url, site_url } = sandbox.stack();
  const [, methods] = await get(`${account_url}/api/v1/auth/methods`);
  expect(methods).toContain(`"url":"${account_url}/api/v1/auth/github"`);
  const [, site] = await get(`${site_url}/llms.txt`);
  expect(site).toContain(site_url);
});
