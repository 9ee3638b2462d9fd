import { createServer } from 'node:http';
import { startConsoleServer } from './console-server.ts';

const usage = `Usage: node server/main.ts

Serves the built console. Environment variables:

  FLEET_URL        public URL of fleet-api, such as https://fleet.example.com
  ACCOUNT_URL      public URL of account-service
  SITE_URL         public URL of website-api
  HOST             listen address, default 0.0.0.0
  PORT             default 8080
  MANAGEMENT_PORT  /livez and /readyz, default 9090
`;

/** Time after which a shutdown closes open connections. */
const CLOSE_TIMEOUT_MS = 10_000;

if (process.argv.includes('--help')) process.stdout.write(usage);
else {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`The console cannot start: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const host = process.env['HOST'] || '0.0.0.0';
  const [port, managementPort] = [portOf('PORT', 8080), portOf('MANAGEMENT_PORT', 9090)];
  const urls = {
    fleet_url: originOf('FLEET_URL'),
    account_url: originOf('ACCOUNT_URL'),
    site_url: originOf('SITE_URL'),
  };
  const server = await startConsoleServer({ host, port }, urls);
  let isReady = true;
  const management = createServer(({ url }, response) => {
    const status = url === '/livez' ? 200 : url === '/readyz' ? (isReady ? 200 : 503) : 404;
    response.writeHead(status).end();
  }).listen(managementPort, host);
  const stop = () => {
    isReady = false;
    management.close();
    server.close();
    server.closeIdleConnections();
    setTimeout(
      () => [server, management].forEach((each) => each.closeAllConnections()),
      CLOSE_TIMEOUT_MS,
    ).unref();
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ level: 'info', msg: `console listens on ${host}:${port}` })}\n`);
}

function portOf(name: string, fallback: number): number {
  const text = process.env[name] || String(fallback);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new Error(`${name} must be a port from 1 to 65535, got "${text}".`);
  return port;
}

/** Returns an origin without a trailing slash, because its source in the Content-Security-Policy has no path. */
function originOf(name: string): string {
  const text = process.env[name] ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(`${name} must be a URL without a path, such as https://api.example.com, got "${text}".`);
  return url.origin;
}
