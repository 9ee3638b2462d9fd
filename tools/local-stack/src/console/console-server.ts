import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { localUrl, type Ports } from '../ports.ts';
import { root } from '../root.ts';
import type { StackFile } from '../stack-file.ts';

/** The built console. */
const DIST = join(root, 'apps/console/dist');
/** Paths that the browser's router resolves; they all get index.html. */
const VIEW_PATH = /^\/(|alerts(\/[^/]+)?|gpus(\/[^/]+)?|metrics|keys|auth\/callback)$/;
/** Files at the root of the build, and files whose name contains a hash of their content. */
const FILE_PATH = /^\/(?:(?<hashed>assets\/)?[\w-]+(\.[\w-]+)*)$/;

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface ConsoleServer {
  stop(): Promise<void>;
}

/** Serves the built console and its `/config.json` (apps/console/README.md#deploy). */
export async function startConsoleServer(
  ports: Ports,
  { fleet_url, account_url, site_url }: Pick<StackFile, 'fleet_url' | 'account_url' | 'site_url'>,
): Promise<ConsoleServer> {
  const config = JSON.stringify({ fleet_url, account_url, site_url });
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy([fleet_url, account_url]),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', localUrl(ports.console));
    const send = (status: number, type: string, body: string | Buffer, cacheControl = 'no-cache') =>
      void response
        .writeHead(status, { ...headers, 'Content-Type': type, 'Cache-Control': cacheControl })
        .end(request.method === 'HEAD' ? undefined : body);
    if (pathname === '/config.json') send(200, 'application/json', config);
    else void sendFile(pathname, send, response);
  });
  await once(server.listen(ports.console, '127.0.0.1'), 'listening');
  return {
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function sendFile(
  pathname: string,
  send: (status: number, type: string, body: string | Buffer, cacheControl?: string) => void,
  response: ServerResponse,
): Promise<void> {
  const file = VIEW_PATH.test(pathname) ? '/index.html' : pathname;
  const path = FILE_PATH.exec(file);
  const type = CONTENT_TYPES[extname(file)];
  const content = path && type ? await readFile(join(DIST, file)).catch(() => undefined) : undefined;
  if (response.destroyed) return;
  if (content === undefined) send(404, 'text/plain; charset=utf-8', 'Not found.\n');
  else
    send(200, type!, content, path?.groups?.['hashed'] ? 'public, max-age=31536000, immutable' : 'no-cache');
}

/**
 * Allows files of the console and requests to the services. `form-action` is not set: a sign-in is a navigation, and forms
 * are handled by scripts.
 */
function contentSecurityPolicy(services: string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${services.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
