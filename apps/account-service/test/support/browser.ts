import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A real browser, from a package: nothing to install by hand. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    // The package's own arguments would switch off the same-origin policy, which is what is tested here. Containers
    // have no user namespaces for the sandbox; the pages are ours.
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** An origin of its own, whose every path is one empty page. */
export interface EmptySite {
  origin: string;
  stop(): Promise<void>;
}

export async function startEmptySite(): Promise<EmptySite> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>empty</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
