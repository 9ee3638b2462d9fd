import { NotFoundException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { DomainError, type ErrorEnvelope } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isPreflight } from './cors.ts';

/** How deep a JSON body may nest (decisions, section 1, Limits). */
const MAX_JSON_DEPTH = 32;

declare module 'fastify' {
  interface FastifyContextConfig {
    defersInputCheck?: boolean;
  }
}

/**
 * Marks a route that must act before it refuses malformed input, such as one that burns a code: it gets such input, and
 * asks `malformedInput` before it looks any further.
 */
export const DefersInputCheck = (): MethodDecorator => RouteConfig({ defersInputCheck: true });

/**
 * Refuses text that PostgreSQL cannot store or that is no Unicode (NUL, lone surrogates) in path, query and body, and
 * bodies nested too deep, before any route sees them, save one with `RefusesMalformedInput`. A path that does not exist is
 * told so first, whatever else is wrong with the request, and without reading its body; so is an OPTIONS that is no
 * preflight.
 */
export function rejectMalformedInput(server: FastifyInstance, envelope: ErrorEnvelope): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || (request.method === 'OPTIONS' && !isPreflight(request)))
      done(new NotFoundException(`Cannot ${request.method} ${request.url}`));
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      done(new DomainError(envelope.rejected(400), 'The header Host is missing.'));
    else done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    const fault = request.routeOptions.config.defersInputCheck ? null : findMalformedInput(request);
    done(fault === null ? undefined : new DomainError(envelope.rejected(400), fault));
  });
}

/** What is malformed in a request's path, query or body, and what would be right; null when nothing is. */
export function findMalformedInput({ params, query, body }: FastifyRequest): string | null {
  return faultIn('the path', params) ?? faultIn('the query string', query) ?? faultIn('the body', body);
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
