import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** W3C Trace Context, version 00: version-traceid-parentid-flags. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

declare module 'fastify' {
  interface FastifyRequest {
    /** The `traceparent` to hand on: the caller's trace with a span of our own. */
    traceParent: string | undefined;
  }
}

/** A caller's X-Request-Id when it is fit for a log line, else one of ours (decisions, section 1, Request id). */
export function requestIdOf(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID();
}

/** Echoes the request id on every response, puts the trace id in every line and continues `traceparent`. */
export function propagateTraceContext(server: FastifyInstance): void {
  server.decorateRequest('traceParent', undefined);
  // When it is sent, so that an answer given before our hooks (a preflight's) carries it too.
  server.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    done(null, payload);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const given = request.headers.traceparent;
    const match = typeof given === 'string' ? TRACE_PARENT.exec(given) : null;
    if (match && !/^0+$/.test(match[1] ?? '') && !/^0+$/.test(match[2] ?? '')) {
      request.traceParent = `00-${match[1]}-${randomBytes(8).toString('hex')}-${match[3]}`;
      request.log = request.log.child({ trace_id: match[1] });
    }
    done();
  });
}
