import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** An HTTP server that records its requests and responds as a test scripts it. */
export interface ScriptedService {
  url: string;
  requests: ReceivedRequest[];
  /** Responds to the n-th request, counted from 0. */
  respond: (request: ReceivedRequest, response: ServerResponse, n: number) => void | Promise<void>;
  close(): Promise<void>;
}

/** Starts a scripted service: faults such as a broken connection cannot be requested from the real ones. */
export async function startScriptedService(): Promise<ScriptedService> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body };
      requests.push(received);
      await service.respond(received, response, requests.length - 1);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond: (_request, response) => sendJson(response, 200, {}),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
