import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorEnvelope } from '../errors/envelopes.ts';
import { BODY_HEADERS } from '../errors/error-filter.ts';
import type { WriteBuffer } from './write-buffer.ts';

const RETRY_AFTER_SECONDS = 1;

export type ResponseOwners = (request: FastifyRequest) => readonly unknown[];

/**
 * Rejects a long response with 429 while too many bytes of earlier ones wait for their clients (docs/services.md#slow-clients).
 *
 * @param ownersOf returns whom the bytes of a response count for, in addition to the process
 */
export function limitWriteBuffer(
  server: FastifyInstance,
  envelope: ErrorEnvelope,
  buffer: WriteBuffer,
  ownersOf: ResponseOwners,
): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isBody = typeof payload === 'object' && payload !== null;
    if (!isBody || request.method === 'HEAD' || buffer.reserve(reply.raw, payload, ownersOf(request))) {
      return done(null, payload);
    }
    const kind = envelope.kindForStatus(429);
    for (const name of BODY_HEADERS) void reply.removeHeader(name);
    void reply.status(kind.status).headers({
      'content-type': envelope.contentType,
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER_SECONDS),
    });
    const message = `Earlier responses have not been read; read them, and retry after ${RETRY_AFTER_SECONDS} s.`;
    done(null, JSON.stringify(envelope.body(kind, message)));
  });
}
