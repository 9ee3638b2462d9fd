import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

/** The built console. */
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const INDEX = `${DIST}/index.html`;
/** Paths that the browser's router resolves; they all get index.html. */
const VIEW_PATH = /^\/(|(alerts|hosts|gpus)(\/[^/]+)?|xids|usage|metrics|keys|auth\/callback)(?=$|\?)/;
/** Files whose name contains a hash of their content. */
const HASHED_FILE = /^\/assets\//;

/** Public URLs of the services, as `/config.json` contains them. */
export interface ServiceUrls {
  fleet_url: string;
  account_url: string;
  site_url: string;
}

/** Serves the built console and its `/config.json` (apps/console/README.md#deploy). */
export async function startConsoleServer(
  { host, port }: { host: string; port: number },
  { fleet_url, account_url, site_url }: ServiceUrls,
): Promise<Server> {
  const config = JSON.stringify({ fleet_url, account_url, site_url });
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy([fleet_url, account_url]),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
  const serveFile = sirv(DIST, {
    // Looks for each file when it is requested, since the folder can be built again meanwhile.
    dev: true,
    // The build compresses files.
    gzip: true,
    extensions: [],
    setHeaders: (response, pathname) =>
      response.setHeader(
        'Cache-Control',
        HASHED_FILE.test(pathname) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ),
    onNoMatch: respondNotFound,
  });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.url?.split('?', 1)[0] === '/config.json') {
      response.setHeader('Cache-Control', 'no-cache').setHeader('Content-Type', 'application/json');
      response.end(config);
      return;
    }
    request.url = request.url?.replace(VIEW_PATH, '/index.html');
    serveFile(request, response);
  });
  await once(server.listen(port, host), 'listening');
  return server;
}

/** For a browser it is the page, which explains that the address is unknown and leads back. */
function respondNotFound({ headers, method }: IncomingMessage, response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('Cache-Control', 'no-cache');
  if (headers.accept?.includes('text/html') && method !== 'HEAD') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    createReadStream(INDEX).pipe(response);
  } else {
    response.setHeader('Content-Type', 'text/plain; charset=utf-8').end('Not found.\n');
  }
}

/** Allows files of the console and requests to the services. No form is submitted: scripts handle all of them. */
function contentSecurityPolicy(services: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${services.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
