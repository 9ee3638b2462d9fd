import { Body, Controller, HttpCode, Post, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { BODY_ERRORS, ErrorResponses } from '../requests/error-responses.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { SignOutVerifier } from '../tokens/token-verifiers.ts';
import { SignOutOrigin } from './cookie-origin.guards.ts';
import { CookieSessions } from './cookie-sessions.ts';
import { EmptyBody } from './default-body.interceptors.ts';
import { SessionCookies } from './session-cookies.ts';
import { LogoutRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/**
 * Ends sessions (`docs/account-service.md#sign-out`). The route is public: the bearer guard would reject the token of a
 * session that has already ended, and sign-out is idempotent.
 */
@ApiTags('Sessions')
@PublicRoute()
@RateLimited('logout')
@Controller('api/v1/auth/logout')
export class LogoutController {
  constructor(
    private readonly verifier: SignOutVerifier,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly cookieSessions: CookieSessions,
  ) {}

  @Post()
  @HttpCode(204)
  @UseGuards(SignOutOrigin)
  @UseInterceptors(EmptyBody)
  @ApiBearerAuth('bearer')
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session of the bearer token, of `refresh_token`, or of the cookies. Idempotent.',
  })
  @ApiBody({ type: LogoutRequest, required: false })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ErrorResponses('unauthorized', 'forbidden', ...BODY_ERRORS)
  async signOut(
    @Body() logoutRequest: LogoutRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const sessionIds = new Set([
      ...(await this.sessionsOfBearerToken(request, logoutRequest)),
      ...(await this.sessions.findByRefreshTokens([logoutRequest.refresh_token])),
      ...(await this.cookieSessions.findSignedOut(request)),
    ]);
    for (const id of sessionIds) await this.sessions.end(id, originOf(request));
    this.cookies.clear(reply);
    void reply.status(204).header('cache-control', 'no-store').send();
  }

  /** Returns the session of the bearer token. With a valid refresh token, an invalid access token is ignored. */
  private async sessionsOfBearerToken(
    request: FastifyRequest,
    logoutRequest: LogoutRequest,
  ): Promise<string[]> {
    const { authorization } = request.headers;
    if (authorization === undefined) return [];
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
    const caller = token === undefined ? null : await this.verifier.verify(token);
    if (caller !== null) return [caller.sessionId];
    if (typeof logoutRequest.refresh_token === 'string') return [];
    throw new DomainError(
      accountErrors.unauthorized,
      'The access token is not valid or has expired; send refresh_token to end its session.',
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    );
  }
}
