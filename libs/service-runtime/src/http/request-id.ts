import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** W3C Trace Context, version 00: version-traceid-parentid-flags. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** The `traceparent` for outgoing requests: the caller's trace with a new span. */
    traceParent: string | undefined;
  }
}

/** Returns the client's X-Request-Id if it is valid, or a new one (docs/services.md#request-ids). */
export function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && ACCEPTED_ID.test(id) ? id : randomUUID();
}

/** Sets X-Request-Id on every response, adds the trace id to log lines and continues `traceparent`. */
export function propagateTraceContext(server: FastifyInstance): void {
  server.decorateRequest('traceParent', undefined);
  // onSend, because a preflight's response is sent before the onRequest hooks below.
  server.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const match = typeof traceparent === 'string' ? TRACE_PARENT.exec(traceparent) : null;
    if (match && !/^0+$/.test(match[1] ?? '') && !/^0+$/.test(match[2] ?? '')) {
      request.traceParent = `00-${match[1]}-${randomBytes(8).toString('hex')}-${match[3]}`;
      request.log = request.log.child({ trace_id: match[1] });
    }
    done();
  });
}
