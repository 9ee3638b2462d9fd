import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/** Runs `intercept` before the first listener of the server, which responds; the others only observe. */
export function interceptRequests(
  server: Server,
  intercept: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
): void {
  const [responder, ...observers] = server.listeners('request') as RequestListener[];
  if (!responder) throw new Error('The server has no request listener to intercept.');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    intercept(request, response, () => void responder.call(server, request, response));
  });
  for (const observer of observers) server.on('request', observer);
}
