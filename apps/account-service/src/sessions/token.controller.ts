import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { DefersInputCheck, findMalformedInput, RejectedBody } from '@gpu-observatory/service-runtime';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import {
  AuthorizationCodes,
  type CodeResult,
  startedSignIn,
} from '../authorization-codes/authorization-codes.service.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { browserSecretOf } from '../sign-in/browser-cookie.ts';
import { SessionCookies } from './session-cookies.ts';
import { type SessionMode, sessionModeOf } from './session-mode.ts';
import { ApiSessionResponses, SessionResponses } from './session-responses.ts';
import { TokenRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

/**
 * Exchanges an authorization code for a session (`docs/account-service.md#authorization-codes`). An attempt that fails for any
 * reason but the rate limit burns its code, so the handler consumes it before it checks anything.
 */
@ApiTags('Sessions')
@PublicRoute()
@RateLimited('token')
@Controller('api/v1/auth/token')
export class TokenController {
  constructor(
    private readonly codes: AuthorizationCodes,
    private readonly origins: AllowedOrigins,
    private readonly sessions: Sessions,
    private readonly cookies: SessionCookies,
    private readonly responses: SessionResponses,
    private readonly rejections: AnonymousRejections,
  ) {}

  @Post()
  @DefersInputCheck()
  @ApiOperation({
    summary: 'Exchange an authorization code for a session',
    description:
      'A code is valid for one attempt. When the attempt fails for any reason, sign in again. Cookie mode works only ' +
      'in the browser that started the sign-in, or with the `code_verifier`.',
  })
  @ApiBody({ type: TokenRequest })
  @ApiSessionResponses('The session.', 'invalidCode')
  async exchangeCode(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const code = await this.codes.consume(codeIn(body));
    const mode = sessionModeOf(request);
    try {
      this.responses.send(reply, mode, await this.startSession(code, mode, request));
    } catch (failure) {
      if (failure instanceof DomainError || body instanceof RejectedBody)
        await this.recordRejection(code, failure, request);
      throw failure;
    }
  }

  private async startSession(
    code: CodeResult,
    mode: SessionMode,
    request: FastifyRequest,
  ): Promise<SessionTokens> {
    const { body } = request;
    if (body instanceof RejectedBody) throw body.rejection;
    if (mode === 'cookies') this.origins.check(request);
    rejectMalformedInput(request);
    const { redirect_uri: redirectUri, code_verifier: codeVerifier } = await requestValidation.validateBody(
      TokenRequest,
      body,
    );
    if (!code || 'replayedUserId' in code || code.expired || redirectUri !== code.frontendUrl)
      throw invalidCode();
    if (!startedSignIn(code, { browserSecret: browserSecretOf(request), codeVerifier }, mode))
      throw invalidCode();
    const tokens = await this.sessions.start(code, {
      origin: originOf(request),
      userAgent: request.headers['user-agent'],
      // JSON mode sets no cookies, so it replaces none.
      replacedSessionIds:
        mode === 'cookies' ? await this.sessions.findByTokens(this.cookies.allTokensOf(request)) : [],
    });
    if (tokens === null) throw invalidCode();
    return tokens;
  }

  /** Audits an attempt that burned or guessed a code. A request without a code is a client error, not a security event. */
  private async recordRejection(code: CodeResult, failure: unknown, request: FastifyRequest): Promise<void> {
    const isInvalidCode = failure instanceof DomainError && failure.kind === accountErrors.invalidCode;
    if (code === null && !isInvalidCode) return;
    const event =
      code !== null && 'replayedUserId' in code
        ? { action: 'code_replayed', userId: code.replayedUserId }
        : { action: 'code_rejected', userId: code?.userId };
    await this.rejections.record(event, originOf(request));
  }
}

function invalidCode(): DomainError {
  return new DomainError(
    accountErrors.invalidCode,
    'The code is unknown, used or older than a minute, redirect_uri differs from the frontend_url of the sign-in, or ' +
      'another browser or client started it; sign in again.',
  );
}

/** Checks what other routes check before their handler. */
function rejectMalformedInput(request: FastifyRequest): void {
  const fault = findMalformedInput(request);
  if (fault === null) return;
  const hasCode = typeof codeIn(request.body) === 'string';
  throw hasCode ? invalidCode() : new DomainError(accountErrors.invalidRequest, fault);
}

/** Returns the code in a JSON body, or in one that is a form, truncated JSON or any other text with a field `code`. */
function codeIn(body: unknown): unknown {
  if (body instanceof RejectedBody) return /\bcode\b[^\w-]{1,20}([\w-]{43})(?![\w-])/.exec(body.text)?.[1];
  return (body as { code?: unknown } | null | undefined)?.code;
}
