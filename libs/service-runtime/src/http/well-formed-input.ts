import { NotFoundException } from '@nestjs/common';
import { DomainError, type Envelope } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';
import { isPreflight } from './other-origins.ts';

/** How deep a JSON body may nest (decisions, section 1, Limits). */
const MAX_JSON_DEPTH = 32;

/**
 * Refuses text that PostgreSQL cannot store or that is no Unicode (NUL, lone surrogates) in path, query and body, and
 * bodies nested too deep, before any route sees them. A path that does not exist is told so first, whatever else is
 * wrong with the request, and without reading its body; so is an OPTIONS that is no preflight.
 */
export function refuseMalformedInput(server: FastifyInstance, envelope: Envelope): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || (request.method === 'OPTIONS' && !isPreflight(request)))
      done(new NotFoundException(`Cannot ${request.method} ${request.url}`));
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      done(new DomainError(envelope.refused(400), 'The header Host is missing.'));
    else done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    const fault =
      faultIn('the path', request.params) ??
      faultIn('the query string', request.query) ??
      faultIn('the body', request.body);
    done(fault === null ? undefined : new DomainError(envelope.refused(400), fault));
  });
}

function faultIn(place: string, value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return `A text in ${place} contains a NUL character; remove it.`;
    return value.isWellFormed() ? null : `A text in ${place} is not well-formed Unicode (a lone surrogate).`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_JSON_DEPTH) return `Values in ${place} nest deeper than ${MAX_JSON_DEPTH} levels.`;
  for (const [name, member] of Object.entries(value)) {
    const fault = faultIn(place, name) ?? faultIn(place, member, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
