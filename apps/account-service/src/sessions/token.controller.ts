import { Body, Controller, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DefersInputCheck } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { type ConsumedCode, startedSignIn } from '../authorization-codes/authorization-codes.service.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { browserSecretOf } from '../sign-in/browser-cookie.ts';
import { ConsumeCodeInterceptor, invalidCode, ValidCode } from './consume-code.interceptor.ts';
import { CookieSessions } from './cookie-sessions.ts';
import { type SessionMode, sessionModeOf } from './session-mode.ts';
import { ApiSessionResponses, SessionResponses } from './session-responses.ts';
import { TokenRequest } from './sessions.dto.ts';
import { type SessionClient, Sessions } from './sessions.service.ts';

/** Exchanges an authorization code for a session (`docs/account-service.md#authorization-codes`). */
@ApiTags('Sessions')
@PublicRoute()
@RateLimited('token')
@UseInterceptors(ConsumeCodeInterceptor)
@Controller('api/v1/auth/token')
export class TokenController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookieSessions: CookieSessions,
    private readonly responses: SessionResponses,
  ) {}

  @Post()
  // The interceptor consumes the code first and then checks the input, so that a malformed request burns its code too.
  @DefersInputCheck()
  @ApiOperation({
    summary: 'Exchange an authorization code for a session',
    description:
      'A code is valid for one attempt. When the attempt fails for any reason, sign in again. Cookie mode works only ' +
      'in the browser that started the sign-in, or with the `code_verifier`.',
  })
  @ApiSessionResponses('The session.', 'invalidCode')
  async exchangeCode(
    @Body() { redirect_uri: redirectUri, code_verifier: codeVerifier }: TokenRequest,
    @ValidCode() code: ConsumedCode | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const mode = sessionModeOf(request);
    const evidence = { browserSecret: browserSecretOf(request), codeVerifier };
    const tokens =
      code && redirectUri === code.frontendUrl && startedSignIn(code, evidence, mode)
        ? await this.sessions.start(code, await this.clientOf(request, mode))
        : null;
    if (tokens === null) throw invalidCode();
    this.responses.send(reply, mode, tokens);
  }

  private async clientOf(request: FastifyRequest, mode: SessionMode): Promise<SessionClient> {
    return {
      origin: originOf(request),
      userAgent: request.headers['user-agent'],
      // JSON mode sets no cookies, so it replaces none.
      replacedSessionIds: mode === 'cookies' ? await this.cookieSessions.findReplaced(request) : [],
    };
  }
}
