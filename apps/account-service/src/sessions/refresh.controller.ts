import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { ApiSessionResponses, SessionResponses, type SessionMode } from './session-responses.ts';
import { SessionCookies } from './session-cookies.ts';
import { RefreshRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/** Issues a new access token for an active session (`docs/account-service.md#refresh`). */
@ApiTags('Sessions')
@PublicRoute()
@Controller('api/v1/auth/refresh')
export class RefreshController {
  constructor(
    private readonly rateLimits: RateLimits,
    private readonly sessions: Sessions,
    private readonly responses: SessionResponses,
    private readonly cookies: SessionCookies,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Obtain a new access token',
    description:
      'The refresh token stays the same and is not extended: a session ends 24 hours after sign-in.',
  })
  @ApiBody({ type: RefreshRequest, required: false, description: 'Omit it with cookies.' })
  @ApiSessionResponses('The refreshed session.', 'invalidRefreshToken')
  async refreshSession(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.rateLimits.count('refresh', request, reply);
    const mode = this.responses.modeOf(request);
    const refreshToken = await this.refreshTokenOf(request, mode, body);
    const tokens = await this.sessions.refresh(refreshToken, originOf(request));
    this.responses.send(reply, mode, tokens);
  }

  /** JSON clients send the refresh token in the body, browsers in a cookie. */
  private async refreshTokenOf(
    request: FastifyRequest,
    mode: SessionMode,
    body: unknown,
  ): Promise<string | undefined> {
    const hasBody = body !== undefined && body !== null;
    if (mode === 'json' || hasBody)
      return (await requestValidation.validateBody(RefreshRequest, body)).refresh_token;
    return this.cookies.refreshTokenOf(request);
  }
}
