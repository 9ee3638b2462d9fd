import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedAnswer {
  /** 0 for none: the connection is cut. */
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A service that answers what a test wants it to. */
export async function startScriptedServer(answer: (request: IncomingMessage) => ScriptedAnswer) {
  const server = createServer((request, response) => {
    const { status, headers = {}, body } = answer(request);
    request.resume();
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
