import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { Database, findMalformedInput, DefersInputCheck } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit, originOf } from '../audit/audit.ts';
import { AuthorizationCodes, type ConsumedCode } from '../authorization-codes/authorization-codes.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { validated } from '../requests/request-validation.ts';
import { AnswersWithSession, SessionAnswers } from './session-answers.ts';
import { TokenRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

type TakenCode = ConsumedCode | { replayOf: number } | null;

/** The exchange of an authorization code for a session (contract, sections 4.5 and 5). */
@ApiTags('sessions')
@PublicRoute()
@Controller('api/v1/auth/token')
export class TokenController {
  constructor(
    private readonly database: Database,
    private readonly rateLimits: RateLimits,
    private readonly codes: AuthorizationCodes,
    private readonly sessions: Sessions,
    private readonly answers: SessionAnswers,
  ) {}

  @Post()
  @DefersInputCheck()
  @ApiOperation({
    summary: 'Exchange an authorization code for a session',
    description: 'A code is good for one attempt: when that fails for any reason, sign in again.',
  })
  @ApiBody({ type: TokenRequest })
  @AnswersWithSession('The session.', 'invalidCode')
  async exchangeCode(
    @Body() body: Record<string, unknown> | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.rateLimits.count('token', request, reply);
    // The code is taken first and whatever else is wrong comes after: a failed attempt burns it.
    const code = await this.codes.consume(body?.code);
    try {
      const mode = this.answers.modeOf(request);
      const fault = findMalformedInput(request);
      if (fault !== null) throw refusalOfMalformed(body, fault);
      const { redirect_uri: redirectUri } = await validated(TokenRequest, body);
      this.answers.send(reply, mode, await this.beginSession(code, redirectUri, request));
    } catch (failure) {
      if (failure instanceof DomainError) await this.recordRefusal(code, failure, request);
      throw failure;
    }
  }

  /** @throws {DomainError} 401 Invalid Code, whatever is wrong with the code or the attempt */
  private async beginSession(
    code: TakenCode,
    redirectUri: unknown,
    request: FastifyRequest,
  ): Promise<SessionTokens> {
    const tokens =
      code && !('replayOf' in code) && !code.expired && redirectUri === code.frontendUrl
        ? await this.sessions.begin(code.userId, code.provider, originOf(request))
        : null;
    if (tokens !== null) return tokens;
    throw invalidCode();
  }

  /** Whatever burned a code, or tried to guess one. A request that names none is a mistake, no event. */
  private async recordRefusal(
    code: TakenCode,
    { kind }: DomainError,
    request: FastifyRequest,
  ): Promise<void> {
    if (code === null && kind !== accountErrors.invalidCode) return;
    const event =
      code !== null && 'replayOf' in code
        ? { action: 'code_replayed', userId: code.replayOf }
        : { action: 'code_refused', userId: code?.userId };
    await audit(this.database, { ...event, actor: 'anonymous' }, originOf(request));
  }
}

function invalidCode(): DomainError {
  return new DomainError(
    accountErrors.invalidCode,
    'The code is not known, was used, is older than a minute, or redirect_uri is not the frontend_url that the ' +
      'sign-in began with; sign in again.',
  );
}

function refusalOfMalformed(body: Record<string, unknown> | undefined, fault: string): DomainError {
  return typeof body?.code === 'string'
    ? invalidCode()
    : new DomainError(accountErrors.invalidRequest, fault);
}
