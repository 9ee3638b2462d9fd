import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The built console. */
const DIST = new URL('../dist/', import.meta.url);
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
const COMPRESSIBLE = ['.css', '.js', '.svg'];

const compress = promisify(gzip);

/** Public URLs of the services, as `/config.json` contains them. */
export interface ServiceUrls {
  fleet_url: string;
  account_url: string;
  site_url: string;
}

interface Body {
  type: string;
  content: Buffer;
  /** Compressed content; undefined for files that compression does not make smaller. */
  gzipped?: Buffer | undefined;
  isImmutable: boolean;
}

const NOT_FOUND: Body = {
  type: 'text/plain; charset=utf-8',
  content: Buffer.from('Not found.\n'),
  isImmutable: false,
};

/** Serves the built console and its `/config.json` (apps/console/README.md#deploy). */
export async function startConsoleServer(
  { host, port }: { host: string; port: number },
  { fleet_url, account_url, site_url }: ServiceUrls,
): Promise<Server> {
  const config = Buffer.from(JSON.stringify({ fleet_url, account_url, site_url }));
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy([fleet_url, account_url]),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
  // Files with a hash in their name never change, so each is compressed once.
  const immutable = new Map<string, Body>();
  const bodyOf = async (pathname: string): Promise<Body | undefined> => {
    if (pathname === '/config.json') return { type: 'application/json', content: config, isImmutable: false };
    const file = VIEW_PATH.test(pathname) ? '/index.html' : pathname;
    const known = immutable.get(file);
    if (known) return known;
    const body = await readBody(file);
    if (body?.isImmutable) immutable.set(file, body);
    return body;
  };
  const server = createServer((request, response) => {
    const pathname = (request.url ?? '/').split('?', 1)[0]!;
    const { accept = '', 'accept-encoding': acceptEncoding } = request.headers;
    const isHead = request.method === 'HEAD';
    const respond = async () => {
      const body = await bodyOf(pathname);
      if (body) return send(response, 200, headers, body, isHead, acceptEncoding);
      // The page for a browser explains that the address is unknown and leads back.
      const page = accept.includes('text/html') ? await bodyOf('/') : undefined;
      send(response, 404, headers, page ?? NOT_FOUND, isHead, acceptEncoding);
    };
    respond().catch((error: unknown) => response.destroy(error as Error));
  });
  await once(server.listen(port, host), 'listening');
  return server;
}

async function readBody(file: string): Promise<Body | undefined> {
  const path = FILE_PATH.exec(file);
  const extension = extname(file);
  const type = CONTENT_TYPES[extension];
  if (!path || !type) return undefined;
  const content = await readFile(new URL(`.${file}`, DIST)).catch(() => undefined);
  if (!content) return undefined;
  const isImmutable = path.groups?.['hashed'] !== undefined;
  return {
    type,
    content,
    isImmutable,
    gzipped: isImmutable && COMPRESSIBLE.includes(extension) ? await compress(content) : undefined,
  };
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Body,
  isHead: boolean,
  acceptEncoding = '',
): void {
  const isGzipped =
    body.gzipped !== undefined && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(acceptEncoding);
  const content = isGzipped ? body.gzipped! : body.content;
  response
    .writeHead(status, {
      ...headers,
      'Content-Type': body.type,
      'Content-Length': content.length,
      'Cache-Control': body.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(body.gzipped && { Vary: 'Accept-Encoding' }),
      ...(isGzipped && { 'Content-Encoding': 'gzip' }),
    })
    .end(isHead ? undefined : content);
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
