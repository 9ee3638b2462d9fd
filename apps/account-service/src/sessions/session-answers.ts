import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiHeader, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsJson } from '../requests/accept.ts';
import type { AllowedOrigins } from '../requests/allowed-origins.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import type { SessionCookies } from './session-cookies.ts';
import { SessionTokensAnswer } from './sessions.dto.ts';

/** How a client has its session: as tokens in JSON, or in cookies. */
export type SessionMode = 'json' | 'cookies';

/** Documents a route that gives a session in either mode, and what it may refuse besides `refusal`. */
export function AnswersWithSession(
  description: string,
  refusal: 'invalidCode' | 'invalidRefreshToken',
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiHeader({
      name: 'Accept',
      description: '`application/json` for tokens; else cookies, for allowed origins.',
    }),
    ApiOkResponse({ type: SessionTokensAnswer, description }),
    ApiNoContentResponse({ description: 'The session is in cookies.' }),
    ErrorResponses(
      refusal,
      'forbidden',
      'invalidRequest',
      'payloadTooLarge',
      'unsupportedMediaType',
      'tooManyRequests',
    ),
  );
}

/** Gives a client its session: as JSON where it asked for that, else as cookies (decisions, section 3, Cookie mode). */
export class SessionAnswers {
  constructor(
    private readonly origins: AllowedOrigins,
    private readonly cookies: SessionCookies,
  ) {}

  /** @throws {DomainError} 403 when it would be cookies, and the origin may not have any */
  modeOf(request: FastifyRequest): SessionMode {
    if (acceptsJson(request.headers.accept)) return 'json';
    this.origins.check(request);
    return 'cookies';
  }

  /** 200 with the tokens, or 204 with cookies. No cache keeps either (RFC 6749, section 5.1). */
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
