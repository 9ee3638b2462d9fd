import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Far more than clients pipeline; a connection with more waiting requests is closed. */
const MAX_WAITING_REQUESTS = 100;

interface Pipeline {
  last: ServerResponse;
  waiting: number;
}

/**
 * Handles one request per connection at a time. Node starts pipelined requests at once and keeps their responses in
 * memory until the earlier ones are sent, so one connection could hold any number of them. Add it before other hooks.
 */
export function serveInOrder(server: FastifyInstance): void {
  const pipelines = new WeakMap<Socket, Pipeline>();
  server.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const pipeline = pipelines.get(socket);
    if (pipeline === undefined || pipeline.last.closed) {
      pipelines.set(socket, { last: response, waiting: 0 });
      return done();
    }
    const previous = pipeline.last;
    pipeline.last = response;
    pipeline.waiting += 1;
    if (pipeline.waiting > MAX_WAITING_REQUESTS) {
      socket.destroy();
      return;
    }
    previous.once('close', () => {
      pipeline.waiting -= 1;
      if (!socket.destroyed) done();
    });
  });
}
