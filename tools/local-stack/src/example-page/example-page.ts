import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DEFAULT_PORT_BASE, localUrl, type Ports } from '../ports.ts';

export interface ExamplePage {
  stop(): Promise<void>;
}

const headers = {
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/**
 * Serves the example page for developers of single-page applications, also at the path of the sign-in callback. The source
 * contains the default ports; they are replaced if the stack uses other ports.
 */
export async function startExamplePage(ports: Ports): Promise<ExamplePage> {
  const page = atPorts(readFileSync(new URL('index.html', import.meta.url), 'utf8'), ports);
  const style = readFileSync(new URL('page.css', import.meta.url));
  const policy = contentSecurityPolicy(page, ports);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/page.css') {
      response.writeHead(200, { ...headers, 'Content-Type': 'text/css; charset=utf-8' }).end(style);
    } else if (['/', '/auth/callback'].includes(pathname)) {
      response
        .writeHead(200, {
          ...headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': policy,
        })
        .end(page);
    } else {
      response
        .writeHead(404, { ...headers, 'Content-Type': 'text/plain' })
        .end('The example page is at /.\n');
    }
  });
  await once(server.listen(ports.examplePage, '127.0.0.1'), 'listening');
  return {
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Replaces the default ports in all URLs of the page. */
function atPorts(page: string, { examplePage }: Ports): string {
  return page.replace(/(?<=http:\/\/localhost:)\d+/g, (port) =>
    String(examplePage + Number(port) - DEFAULT_PORT_BASE),
  );
}

/**
 * Allows the inline script, the stylesheet and requests to the two services. `form-action` is not set: browsers would apply
 * it to the redirects of a sign-in too.
 */
function contentSecurityPolicy(page: string, ports: Ports): string {
  const script = /<script type="module">([^]*)<\/script>/.exec(page)?.[1] ?? '';
  return [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'self'",
    'img-src data:',
    `connect-src ${localUrl(ports.account)} ${localUrl(ports.fleet)}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
