import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** For a request that is already on its way. */
const GRACE_MS = 1_000;

/**
 * Browsers and load balancers open connections ahead of need. Node counts one on which nothing was asked yet as neither
 * idle nor busy, so it would hold up closing until its time is over; it is cut soon after closing begins.
 */
export function closeUnusedConnections(server: FastifyInstance): void {
  const silent = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.server.on('request', (request) => silent.delete(request.socket));
  server.addHook('preClose', (done) => {
    setTimeout(() => silent.forEach((socket) => socket.destroy()), GRACE_MS).unref();
    done();
  });
}
