import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedResponse {
  /** 0 closes the connection without a response. */
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Starts a server with responses that the test chooses. */
export async function startScriptedServer(respond: (request: IncomingMessage) => ScriptedResponse) {
  const server = createServer((request, response) => {
    const { status, headers = {}, body } = respond(request);
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
