import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { findMalformedInput, DefersInputCheck, RejectedBody } from '@gpu-observatory/service-runtime';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import {
  AuthorizationCodes,
  startedSignIn,
  type ConsumedCode,
} from '../authorization-codes/authorization-codes.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { browserSecretOf } from '../sign-in/browser-cookie.ts';
import { CookieSessions } from './cookie-sessions.ts';
import { ApiSessionResponses, type SessionMode, SessionResponses } from './session-responses.ts';
import { TokenRequest } from './sessions.dto.ts';
import { type SessionClient, Sessions } from './sessions.service.ts';

type CodeResult = ConsumedCode | { replayedUserId: number } | null;

/** Exchanges an authorization code for a session (`docs/account-service.md#authorization-codes`). */
@ApiTags('Sessions')
@PublicRoute()
@Controller('api/v1/auth/token')
export class TokenController {
  constructor(
    private readonly rejections: AnonymousRejections,
    private readonly rateLimits: RateLimits,
    private readonly codes: AuthorizationCodes,
    private readonly sessions: Sessions,
    private readonly cookieSessions: CookieSessions,
    private readonly responses: SessionResponses,
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
    @Body() body: Record<string, unknown> | RejectedBody | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.rateLimits.count('token', request, reply);
    // Consume the code before any other check: a failed attempt burns it.
    const code = await this.codes.consume(body instanceof RejectedBody ? findCode(body.text) : body?.code);
    try {
      if (body instanceof RejectedBody) throw body.rejection;
      const mode = this.responses.modeOf(request);
      const fault = findMalformedInput(request);
      if (fault !== null) throw malformedRequest(body, fault);
      const exchange = await requestValidation.validateBody(TokenRequest, body);
      this.responses.send(reply, mode, await this.startSession(code, exchange, mode, request));
    } catch (failure) {
      if (failure instanceof DomainError || body instanceof RejectedBody)
        await this.recordRejection(code, failure, request);
      throw failure;
    }
  }

  /** @throws {DomainError} 401 Invalid Code for any fault of the code or the attempt */
  private async startSession(
    code: CodeResult,
    { redirect_uri: redirectUri, code_verifier: codeVerifier }: TokenRequest,
    mode: SessionMode,
    request: FastifyRequest,
  ): Promise<SessionTokens> {
    const tokens =
      code &&
      !('replayedUserId' in code) &&
      !code.expired &&
      redirectUri === code.frontendUrl &&
      startedSignIn(code, { browserSecret: browserSecretOf(request), codeVerifier }, mode)
        ? await this.sessions.start(code, await this.clientOf(request, mode))
        : null;
    if (tokens !== null) return tokens;
    throw invalidCode();
  }

  private async clientOf(request: FastifyRequest, mode: SessionMode): Promise<SessionClient> {
    return {
      origin: originOf(request),
      userAgent: request.headers['user-agent'],
      // JSON mode sets no cookies, so it replaces none.
      replacedSessionIds:
        mode === 'cookies' ? await this.cookieSessions.find(request, { accessCookie: true }) : [],
    };
  }

  /**
   * Audits attempts that burned or guessed a code. A request without a code is a client error, not a security event.
   */
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

function malformedRequest(body: Record<string, unknown> | undefined, fault: string): DomainError {
  return typeof body?.code === 'string'
    ? invalidCode()
    : new DomainError(accountErrors.invalidRequest, fault);
}

/** Returns the code in a body that is a form, truncated JSON or any other text with a field `code`, or null. */
function findCode(text: string): string | null {
  return /\bcode\b[^\w-]{1,20}([\w-]{43})(?![\w-])/.exec(text)?.[1] ?? null;
}
