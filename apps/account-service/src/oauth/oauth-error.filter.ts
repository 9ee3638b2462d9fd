import { Catch } from '@nestjs/common';
import { type ErrorEnvelope, ErrorFilter } from '@gpu-observatory/service-runtime';
import { type ErrorKind, oauthErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';

export const TOKEN_PATH = '/oauth/token';

/**
 * `{error, error_description}` of account-service's OAuth endpoint. A failure before its handler has another catalog's kind,
 * such as an exceeded rate limit; its code becomes that of the same status, or `invalid_request`.
 */
const oauthEnvelope: ErrorEnvelope = {
  contentType: 'application/json; charset=utf-8',
  body: (kind, message) => ({ error: oauthCode(kind), error_description: oauthText(message) }),
  kindForStatus: (status) => ({ code: oauthErrors.invalidRequest.code, status }),
  unavailable: oauthErrors.temporarilyUnavailable,
  unexpected: oauthErrors.serverError,
};

function oauthCode(kind: ErrorKind): string {
  const kinds: readonly ErrorKind[] = Object.values(oauthErrors);
  if (kinds.includes(kind)) return kind.code;
  return kind.status === oauthErrors.tooManyRequests.status
    ? oauthErrors.tooManyRequests.code
    : oauthErrors.invalidRequest.code;
}

/** Replaces the characters that `error_description` must not have (RFC 6749, section 5.2). */
function oauthText(message: string): string {
  return message.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7e]/g, '?');
}

/** Turns every error of the token endpoint into the format of RFC 6749, section 5.2. */
@Catch()
export class OAuthErrorFilter extends ErrorFilter {
  constructor() {
    super(oauthEnvelope);
  }

  /** Formats errors before the route handler runs, too: body size, content type or syntax. */
  handleEarlyErrors(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (route.url !== TOKEN_PATH) return;
      route.errorHandler = (failure, request, reply) => this.send(failure, request, reply);
    });
  }
}
