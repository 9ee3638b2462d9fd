import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { PublicRoute } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import { validated } from '../requests/request-validation.ts';
import { EndedSessionVerifier } from './ended-session-verifier.ts';
import { SessionCookies } from './session-cookies.ts';
import { LogoutRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/**
 * Sign-out (decisions, section 3). The bearer guard does not stand before it: a session that has ended may be ended
 * again, and its token is refused everywhere else.
 */
@ApiTags('sessions')
@PublicRoute()
@Controller('api/v1/auth/logout')
export class LogoutController {
  constructor(
    private readonly verifier: EndedSessionVerifier,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly origins: AllowedOrigins,
  ) {}

  @Post()
  @HttpCode(204)
  @ApiBearerAuth('bearer')
  @ApiOperation({
    summary: 'Sign out',
    description:
      'Ends the session of the bearer token, of `refresh_token`, or of the cookies. Repeating it is fine.',
  })
  @ApiBody({ type: LogoutRequest, required: false })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ErrorResponses('unauthorized', 'forbidden', 'invalidRequest', 'payloadTooLarge', 'unsupportedMediaType')
  async signOut(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const sent = body === undefined || body === null ? {} : await validated(LogoutRequest, body);
    const sessionIds = new Set([
      ...(await this.ofBearerToken(request, sent)),
      ...(await this.sessions.ofRefreshTokens([sent.refresh_token])),
      ...(await this.ofCookies(request)),
    ]);
    for (const id of sessionIds) await this.sessions.end(id, originOf(request));
    // A foreign page may not even drop the cookies.
    if (this.origins.allows(request)) this.cookies.clear(reply);
    void reply.status(204).header('cache-control', 'no-store').send();
  }

  /** The session of the bearer token. One that is not valid (any more) ends none, beside a refresh token. */
  private async ofBearerToken(request: FastifyRequest, sent: LogoutRequest): Promise<string[]> {
    const { authorization } = request.headers;
    if (authorization === undefined) return [];
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1];
    const caller = token === undefined ? null : await this.verifier.verify(token);
    if (caller !== null) return [caller.sessionId];
    if (typeof sent.refresh_token === 'string') return [];
    throw new DomainError(
      accountErrors.unauthorized,
      'The access token is not valid or has expired; send refresh_token to end its session.',
      { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
    );
  }

  /** The sessions of a browser's cookies. An access token that is not valid (any more) ends none. */
  private async ofCookies(request: FastifyRequest): Promise<string[]> {
    const { access, refresh } = this.cookies.allTokensOf(request);
    const accessTokens = request.headers.authorization === undefined ? access : [];
    if (accessTokens.length + refresh.length === 0) return [];
    this.origins.check(request);
    const callers = await Promise.all(accessTokens.map((token) => this.verifier.verify(token)));
    return [
      ...callers.flatMap((caller) => caller?.sessionId ?? []),
      ...(await this.sessions.ofRefreshTokens(refresh)),
    ];
  }
}
