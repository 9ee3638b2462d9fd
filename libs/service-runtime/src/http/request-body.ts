import { RouteConfig } from '@nestjs/platform-fastify';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';
import { echo } from '../errors/echo.ts';
import type { ErrorEnvelope } from '../errors/envelopes.ts';

/** Limit of a request body (docs/services.md#request-limits). */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Limit on a route that defers its input check. Such a route reads larger bodies than it accepts. */
const DEFERRED_BODY_LIMIT_BYTES = 1024 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    acceptsForm?: boolean;
  }
}

/** Marks a route that takes its body as `application/x-www-form-urlencoded` and not as JSON. */
export const AcceptsForm = (): MethodDecorator => RouteConfig({ acceptsForm: true });

/** Body that a route with `DefersInputCheck` receives instead of an invalid one; other routes reject it. */
export class RejectedBody {
  constructor(
    readonly text: string,
    readonly rejection: Error,
  ) {}
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Parses bodies of JSON in UTF-8, and forms on a route with `AcceptsForm`, and rejects every other content type. An empty
 * body is no body, even with a content type, because many clients send one with every request. A `__proto__` or
 * `constructor.prototype` member is rejected, except on a route that defers its input check: there it is an ordinary
 * member, and a body that is invalid in any way is a `RejectedBody`.
 */
export function parseBodies(server: FastifyInstance, envelope: ErrorEnvelope): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const parseAnyNames = server.getDefaultJsonParser('ignore', 'ignore');
  const error = (status: number, message: string) => new DomainError(envelope.kindForStatus(status), message);

  const parseJson = (request: FastifyRequest, body: Buffer, done: Done) => {
    const { defersInputCheck, acceptsForm } = request.routeOptions.config;
    if (acceptsForm) return rejectType(request, body, done);
    if (body.length === 0) return done(null, undefined);
    if (body.length > BODY_LIMIT_BYTES)
      return reject(request, body, new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), done);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return reject(request, body, error(400, 'The body is not valid UTF-8.'), done);
    }
    void (defersInputCheck ? parseAnyNames : parse)(request, text, (failure, value) =>
      failure ? reject(request, body, failure, done) : done(null, value),
    );
  };

  const parseForm = (request: FastifyRequest, body: Buffer, done: Done) => {
    if (!request.routeOptions.config.acceptsForm) return rejectType(request, body, done);
    const fields: Record<string, string> = Object.create(null);
    for (const [name, value] of new URLSearchParams(body.toString())) {
      if (name in fields)
        return done(error(400, `The field "${echo(name)}" occurs more than once; send it once.`));
      // Browsers send line breaks as CRLF: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html
      fields[name] = value.replaceAll('\r\n', '\n');
    }
    done(null, fields);
  };

  const rejectType = (request: FastifyRequest, body: Buffer, done: Done) => {
    const rejection = request.routeOptions.config.acceptsForm
      ? error(415, 'Send the parameters in the body, with Content-Type: application/x-www-form-urlencoded.')
      : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
    reject(request, body, rejection, done);
  };

  server.removeAllContentTypeParsers();
  server.addHook('onRoute', (route) => {
    if (route.config?.defersInputCheck) route.bodyLimit = DEFERRED_BODY_LIMIT_BYTES;
  });
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson);
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, parseForm);
  server.addContentTypeParser('*', { parseAs: 'buffer' }, rejectType);
}

function reject({ routeOptions }: FastifyRequest, body: Buffer, rejection: Error, done: Done): void {
  if (routeOptions.config.defersInputCheck) done(null, new RejectedBody(body.toString('latin1'), rejection));
  else done(rejection);
}
