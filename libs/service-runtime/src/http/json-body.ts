import { type ErrorEnvelope, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';

/**
 * Parses bodies of JSON in UTF-8 and rejects every other content type. An empty body is no body, even with a content type,
 * because many clients send one with every request. A `__proto__` or `constructor.prototype` member is rejected, except on a
 * route that defers its input check: there it is an ordinary member.
 */
export function parseJsonBodies(server: FastifyInstance, envelope: ErrorEnvelope): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const parseAnyNames = server.getDefaultJsonParser('ignore', 'ignore');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return done(new DomainError(envelope.kindForStatus(400), 'The body is not valid UTF-8.'));
    }
    void (request.routeOptions.config.defersInputCheck ? parseAnyNames : parse)(request, text, done);
  });
}
