import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { SessionCookies } from './session-cookies.ts';
import { sessionModeOf } from './session-mode.ts';
import { ApiSessionResponses, SessionResponses } from './session-responses.ts';
import { RefreshRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/** Issues a new access token for an active session (`docs/account-service.md#refresh`). */
@ApiTags('Sessions')
@PublicRoute()
@RateLimited('refresh')
@Controller('api/v1/auth/refresh')
export class RefreshController {
  constructor(
    private readonly sessions: Sessions,
    private readonly origins: AllowedOrigins,
    private readonly cookies: SessionCookies,
    private readonly responses: SessionResponses,
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
    const mode = sessionModeOf(request);
    if (mode === 'cookies') {
      this.origins.check(request);
      body ??= { refresh_token: this.cookies.refreshTokenOf(request) ?? '' };
    }
    const { refresh_token: token } = await requestValidation.validateBody(RefreshRequest, body);
    const tokens = await this.sessions.refresh(token, originOf(request));
    this.responses.send(reply, mode, tokens);
  }
}
