import { once } from 'node:events';
import { Agent, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { pipeline } from 'node:stream';

/**
 * Terminates TLS on a port of 127.0.0.1 and forwards the requests to another one.
 *
 * @returns a function that closes every connection and frees the port
 */
export async function startTlsProxy(
  port: number,
  targetPort: number,
  certificate: { key: string; cert: string },
): Promise<() => Promise<void>> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(certificate, (request, response) => {
    forwardRequest(request, response, { port: targetPort, agent });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    agent.destroy();
    await closed;
  };
}

function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: { port: number; agent: Agent },
): void {
  const { method, url, headers, socket } = request;
  const upstream = forward(
    {
      ...target,
      host: '127.0.0.1',
      method,
      path: url,
      headers: { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': socket.remoteAddress },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // An interrupted response closes both connections.
      pipeline(answer, response, () => {});
    },
  );
  upstream.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('The service does not respond.\n');
  });
  response.on('close', () => upstream.destroy());
  request.pipe(upstream);
}
