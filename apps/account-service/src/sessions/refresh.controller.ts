import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { validated } from '../requests/request-validation.ts';
import { AnswersWithSession, SessionAnswers, type SessionMode } from './session-answers.ts';
import { SessionCookies } from './session-cookies.ts';
import { RefreshRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/** A new access token for a session that goes on (contract, section 5; decisions, section 3, Refresh). */
@ApiTags('sessions')
@PublicRoute()
@Controller('api/v1/auth/refresh')
export class RefreshController {
  constructor(
    private readonly rateLimits: RateLimits,
    private readonly sessions: Sessions,
    private readonly answers: SessionAnswers,
    private readonly cookies: SessionCookies,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Obtain a new access token',
    description:
      'The refresh token stays the same and is not extended: a session ends 24 hours after sign-in.',
  })
  @ApiBody({ type: RefreshRequest, required: false, description: 'Not needed with cookies.' })
  @AnswersWithSession('The session goes on.', 'invalidRefreshToken')
  async refreshSession(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.rateLimits.count('refresh', request, reply);
    const mode = this.answers.modeOf(request);
    const refreshToken = await this.refreshTokenOf(request, mode, body);
    const tokens = await this.sessions.refresh(refreshToken, originOf(request));
    this.answers.send(reply, mode, tokens);
  }

  /** A browser's is in its cookie; whoever asks for JSON sends it. */
  private async refreshTokenOf(
    request: FastifyRequest,
    mode: SessionMode,
    body: unknown,
  ): Promise<string | undefined> {
    const sent = body !== undefined && body !== null;
    if (mode === 'json' || sent) return (await validated(RefreshRequest, body)).refresh_token;
    return this.cookies.refreshTokenOf(request);
  }
}
