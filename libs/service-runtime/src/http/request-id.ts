import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the client's X-Request-Id if it is valid, or a new one (docs/services.md#request-ids). */
export function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : randomUUID();
}

/** Sets X-Request-Id on every response, also that of a preflight, which is sent before other hooks run. */
export function sendRequestIds(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
}
