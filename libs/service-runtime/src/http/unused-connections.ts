import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time for a request that is already on its way. */
const GRACE_MS = 1_000;

/**
 * Closes connections without any request soon after shutdown begins. Browsers and load balancers open connections in
 * advance; Node counts those as neither idle nor busy, so they would delay the shutdown until they time out.
 */
export function closeUnusedConnections(server: FastifyInstance): void {
  const unused = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.server.on('request', (request) => unused.delete(request.socket));
  server.addHook('preClose', (done) => {
    setTimeout(() => unused.forEach((socket) => socket.destroy()), GRACE_MS).unref();
    done();
  });
}
