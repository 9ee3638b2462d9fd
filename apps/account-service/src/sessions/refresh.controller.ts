import { Body, Controller, Post, Req, Res, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { CookieModeOrigin } from './cookie-origin.guards.ts';
import { RefreshTokenOfCookie } from './default-body.interceptors.ts';
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
    private readonly responses: SessionResponses,
  ) {}

  @Post()
  @UseGuards(CookieModeOrigin)
  @UseInterceptors(RefreshTokenOfCookie)
  @ApiOperation({
    summary: 'Obtain a new access token',
    description:
      'The refresh token stays the same and is not extended: a session ends 24 hours after sign-in.',
  })
  @ApiBody({ type: RefreshRequest, required: false, description: 'Omit it with cookies.' })
  @ApiSessionResponses('The refreshed session.', 'invalidRefreshToken')
  async refreshSession(
    @Body() { refresh_token: refreshToken }: RefreshRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const tokens = await this.sessions.refresh(refreshToken, originOf(request));
    this.responses.send(reply, sessionModeOf(request), tokens);
  }
}
