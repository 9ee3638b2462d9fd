import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { BODY_ERRORS, ErrorResponses } from '../requests/error-responses.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { SignOutVerifier } from '../tokens/token-verifiers.ts';
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
    private readonly origins: AllowedOrigins,
  ) {}

  @Post()
  @HttpCode(204)
  @ApiBearerAuth('bearer')
  @ApiOperation({
    summary: 'Sign out',
    description: 'Ends the session of the bearer token, of `refresh_token`, or of the cookies. Idempotent.',
  })
  @ApiBody({ type: LogoutRequest, required: false })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ErrorResponses('unauthorized', 'forbidden', ...BODY_ERRORS)
  async signOut(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { access, refresh } = this.cookies.signOutTokensOf(request);
    if (access.length > 0 || refresh.length > 0) this.origins.check(request);
    const { refresh_token: refreshToken } = await requestValidation.validateBody(LogoutRequest, body ?? {});
    const sessionIds = [
      ...(await this.sessionsOfBearerToken(request, refreshToken)),
      ...(await this.sessions.findByTokens({ access, refresh: [...refresh, refreshToken ?? ''] })),
    ];
    for (const id of new Set(sessionIds)) await this.sessions.end(id, originOf(request));
    this.cookies.clear(reply);
    void reply.status(204).header('cache-control', 'no-store').send();
  }

  /** Returns the session of the bearer token. With a valid refresh token, an invalid access token is ignored. */
  private async sessionsOfBearerToken(
    request: FastifyRequest,
    refreshToken: string | undefined,
  ): Promise<string[]> {
    const { authorization } = request.headers;
    if (authorization === undefined) return [];
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
    const caller = token === undefined ? null : await this.verifier.verify(token);
    if (caller !== null) return [caller.sessionId];
    if (typeof refreshToken === 'string') return [];
    throw new DomainError(
      accountErrors.unauthorized,
      'The access token is not valid or has expired; send refresh_token to end its session.',
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    );
  }
}
