import { applyDecorators, HttpCode, Injectable } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import type { FastifyReply } from 'fastify';
import { BODY_ERRORS, ErrorResponses } from '../requests/error-responses.ts';
import { SessionCookies } from './session-cookies.ts';
import type { SessionMode } from './session-mode.ts';
import { SessionTokensResponse } from './sessions.dto.ts';

/** Documents a route that returns a session in either mode, with its error responses. */
export function ApiSessionResponses(
  description: string,
  invalidCredential: 'invalidCode' | 'invalidRefreshToken',
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiHeader({
      name: 'Accept',
      description: '`application/json` for tokens; else cookies, for allowed origins.',
    }),
    ApiOkResponse({ type: SessionTokensResponse, description }),
    ApiNoContentResponse({ description: 'The session is set as cookies.' }),
    ErrorResponses(invalidCredential, 'forbidden', ...BODY_ERRORS),
  );
}

/** Sends a session as JSON or as cookies (`docs/account-service.md#cookie-mode`). */
@Injectable()
export class SessionResponses {
  constructor(private readonly cookies: SessionCookies) {}

  /**
   * Sends 200 with the tokens, or 204 with cookies. Neither may be cached
   * (https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
   */
  send(reply: FastifyReply, mode: SessionMode, tokens: SessionTokens): void {
    void reply.header('cache-control', 'no-store').header('vary', 'Accept, Origin');
    if (mode === 'json') {
      void reply.status(200).send(tokens);
      return;
    }
    this.cookies.set(reply, tokens);
    void reply.status(204).send();
  }
}
