import type { FastifyInstance } from 'fastify';

/** W3C Trace Context, version 00: version, trace id, span id and flags. Ids that consist of zeros are invalid. */
const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Adds the trace id of a `traceparent` header to the log lines of a request. */
export function logTraceIds(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const traceId = TRACE_PARENT.exec(String(request.headers['traceparent']))?.[1];
    if (traceId !== undefined) request.log = request.log.child({ trace_id: traceId });
    done();
  });
}
