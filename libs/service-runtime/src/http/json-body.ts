import { type ErrorEnvelope, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are JSON (RFC 8259: in UTF-8) and nothing else; another type is refused as such. An empty body counts as none
 * although a type is given, since many clients send that type with every request. A body that would set a prototype is
 * refused, but to a route that refuses malformed input itself: there it is a field as any other.
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
      return done(new DomainError(envelope.rejected(400), 'The body is not valid UTF-8.'));
    }
    void (request.routeOptions.config.defersInputCheck ? parseAnyNames : parse)(request, text, done);
  });
}
