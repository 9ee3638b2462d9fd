import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';
import type { ErrorEnvelope } from '../errors/envelopes.ts';
import { isPreflight } from './cors.ts';
import { isRepeatedHeader } from './repeated-header.ts';

/** Nesting limit of JSON (docs/services.md#request-limits). */
const MAX_JSON_DEPTH = 32;
/** A request target has no fragment (RFC 9112, section 3.2). */
const FRAGMENT = 'The URL contains a #; encode it as %23.';

declare module 'fastify' {
  interface FastifyContextConfig {
    defersInputCheck?: boolean;
  }
}

/**
 * Marks a route that must act before it rejects malformed input, such as one that burns an authorization code. The
 * route calls `findMalformedInput` itself.
 */
export const DefersInputCheck = (): MethodDecorator => RouteConfig({ defersInputCheck: true });

/**
 * Rejects NUL characters and lone surrogates in path, query and body, and bodies nested too deep
 * (docs/services.md#text), except on routes with `DefersInputCheck`. An unknown path, or an OPTIONS request that is not
 * a preflight, gets its 404 first, before the body is read. Only a fragment is rejected before: the router treats it as a
 * query string, while a proxy or cache may drop it.
 */
export function rejectMalformedInput(server: FastifyInstance, envelope: ErrorEnvelope): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('#')) done(new DomainError(envelope.kindForStatus(400), FRAGMENT));
    else if (request.is404 || (request.method === 'OPTIONS' && !isPreflight(request)))
      done(new NotFoundException(`Cannot ${request.method} ${request.url}`));
    else {
      const problem = findHostProblem(request.raw);
      done(problem === null ? undefined : new DomainError(envelope.kindForStatus(400), problem));
    }
  });
  server.addHook('preValidation', (request, _reply, done) => {
    const problem = request.routeOptions.config.defersInputCheck ? null : findMalformedInput(request);
    done(problem === null ? undefined : new DomainError(envelope.kindForStatus(400), problem));
  });
}

/** Returns a message about a missing or repeated Host header (RFC 9112, section 3.2), or null. */
function findHostProblem(request: IncomingMessage): string | null {
  if (request.headers.host === undefined && request.httpVersion === '1.1')
    return 'The Host header is missing; send exactly one.';
  // A proxy may have routed by a later one.
  return isRepeatedHeader(request, 'host') ? 'The Host header is repeated; send exactly one.' : null;
}

/** Returns a message about the first malformed text or structure of a request, or null. */
export function findMalformedInput({ params, query, body }: FastifyRequest): string | null {
  return (
    findProblem('the path', params) ?? findProblem('the query string', query) ?? findProblem('the body', body)
  );
}

function findProblem(location: string, value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return `A text in ${location} contains a NUL character; remove it.`;
    return value.isWellFormed()
      ? null
      : `A text in ${location} is not well-formed Unicode (a lone surrogate).`;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_JSON_DEPTH) return `Values in ${location} nest deeper than ${MAX_JSON_DEPTH} levels.`;
  for (const [name, member] of Object.entries(value)) {
    const problem = findProblem(location, name) ?? findProblem(location, member, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
