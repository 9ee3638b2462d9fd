import type { SessionTokens } from '@gpu-observatory/domain-types';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsJson } from '../requests/accept.ts';
import type { AllowedOrigins } from '../requests/allowed-origins.ts';
import type { SessionCookies } from './session-cookies.ts';

/** How a client gets its session: as JSON where it asked for that, else as cookies (decisions, section 3, Cookie mode). */
export class SessionAnswers {
  constructor(
    private readonly origins: AllowedOrigins,
    private readonly cookies: SessionCookies,
  ) {}

  /** @throws {DomainError} 403 when it would be cookies, and the origin may not have any */
  check(request: FastifyRequest): void {
    if (!acceptsJson(request.headers.accept)) this.origins.check(request);
  }

  /** 200 with the tokens, or 204 with cookies. No cache keeps either (RFC 6749, section 5.1). */
  send(request: FastifyRequest, reply: FastifyReply, tokens: SessionTokens): void {
    void reply.header('cache-control', 'no-store').header('vary', 'Accept, Origin');
    if (acceptsJson(request.headers.accept)) {
      void reply.status(200).send(tokens);
      return;
    }
    this.cookies.set(reply, tokens);
    void reply.status(204).send();
  }
}
