import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../server/main.ts', import.meta.url));
const urls = {
  FLEET_URL: 'https://fleet.example.com/',
  ACCOUNT_URL: 'https://account.example.com',
  SITE_URL: 'https://www.example.com',
};

const start = (env: Record<string, string>) => spawn(process.execPath, [main], { env });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

it.each([
  [{}, 'FLEET_URL must be a URL without a path, such as https://api.example.com, got "".'],
  [{ ...urls, SITE_URL: 'https://www.example.com/blog' }, 'SITE_URL must be a URL without a path'],
  [{ ...urls, PORT: '80x' }, 'PORT must be a port from 1 to 65535, got "80x".'],
])('rejects the environment %j', async (environment, message) => {
  const server = start(environment);
  const [errors, [code]] = await Promise.all([text(server.stderr), once(server, 'exit')]);
  expect(errors).toContain(`The console cannot start: ${message}`);
  expect(code).toBe(1);
});

it('serves the URLs of the services with a policy for them, and exits with 0 after SIGTERM', async () => {
  const [port, managementPort] = [await freePort(), await freePort()];
  const server = start({
    ...urls,
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: String(managementPort),
  });
  const exited = once(server, 'exit');
  await once(server.stdout, 'data');
  const config = await fetch(`http://127.0.0.1:${port}/config.json`);
  expect(await config.json()).toEqual({
    fleet_url: 'https://fleet.example.com',
    account_url: 'https://account.example.com',
    site_url: 'https://www.example.com',
  });
  const policy = config.headers.get('content-security-policy');
  expect(policy).toContain("connect-src 'self' https://fleet.example.com https://account.example.com;");
  expect(policy).toContain("form-action 'none'; frame-ancestors 'none'");
  for (const path of ['livez', 'readyz'])
    expect((await fetch(`http://127.0.0.1:${managementPort}/${path}`)).status).toBe(200);
  server.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
});
