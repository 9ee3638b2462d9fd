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

/**
 * Parses bodies of JSON in UTF-8, and forms on a route with `AcceptsForm`, and rejects every other content type. An empty body is no body, even with a content type,
 * because many clients send one with every request. A `__proto__` or `constructor.prototype` member is rejected, except on a
 * route that defers its input check: there it is an ordinary member, and a body that is invalid in any way is a `RejectedBody`.
 */
export function parseJsonBodies(server: FastifyInstance, envelope: ErrorEnvelope): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const parseAnyNames = server.getDefaultJsonParser('ignore', 'ignore');
  server.removeAllContentTypeParsers();
  server.addHook('onRoute', (route) => {
    if (route.config?.defersInputCheck) route.bodyLimit = DEFERRED_BODY_LIMIT_BYTES;
  });
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { defersInputCheck, acceptsForm } = request.routeOptions.config;
    if (acceptsForm) return done(notAForm(envelope));
    const reject = (rejection: Error) =>
      defersInputCheck ? done(null, new RejectedBody(body.toString('latin1'), rejection)) : done(rejection);
    if (body.length === 0) return done(null, undefined);
    if (body.length > BODY_LIMIT_BYTES) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      return reject(new DomainError(envelope.kindForStatus(400), 'The body is not valid UTF-8.'));
    }
    void (defersInputCheck ? parseAnyNames : parse)(request, text, (error, value) =>
      error ? reject(error) : done(null, value),
    );
  });
  server.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const { defersInputCheck, acceptsForm } = request.routeOptions.config;
    if (acceptsForm) {
      if (!isForm(request)) throw notAForm(envelope);
      return parseForm(await readText(payload, BODY_LIMIT_BYTES), envelope);
    }
    const rejection = new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
    if (!defersInputCheck) throw rejection;
    return new RejectedBody(await readText(payload, DEFERRED_BODY_LIMIT_BYTES), rejection);
  });
}

function isForm({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded[ \t]*(;|$)/i.test(headers['content-type'] ?? '');
}

function notAForm(envelope: ErrorEnvelope): DomainError {
  return new DomainError(
    envelope.kindForStatus(415),
    'Send the parameters in the body, with Content-Type: application/x-www-form-urlencoded.',
  );
}

/** @throws {DomainError} for a repeated field */
function parseForm(text: string, envelope: ErrorEnvelope): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in fields) {
      throw new DomainError(
        envelope.kindForStatus(400),
        `The field "${echo(name)}" occurs more than once; send it once.`,
      );
    }
    fields[name] = value;
  }
  return fields;
}

/** @throws FST_ERR_CTP_BODY_TOO_LARGE */
async function readText(payload: AsyncIterable<Buffer>, limitBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
}
