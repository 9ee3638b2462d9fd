import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { accountFailures, DomainError } from '@gpu-observatory/error-envelopes';
import { Database } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { audit, originOf } from '../audit/audit.ts';
import { AuthorizationCodes, type ConsumedCode } from '../authorization-codes/authorization-codes.ts';
import { FailureAnswers } from '../requests/failure-answers.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { validated } from '../requests/request-validation.ts';
import { SessionAnswers } from './session-answers.ts';
import { SessionTokensAnswer, TokenRequest } from './sessions.dto.ts';
import { Sessions } from './sessions.service.ts';

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
  @HttpCode(200)
  @ApiOperation({
    summary: 'Exchange an authorization code for a session',
    description: 'A code is good for one attempt: when that fails for any reason, sign in again.',
  })
  @ApiHeader({
    name: 'Accept',
    description: '`application/json` for tokens; else cookies, for allowed origins.',
  })
  @ApiBody({ type: TokenRequest })
  @ApiOkResponse({ type: SessionTokensAnswer, description: 'The session.' })
  @ApiNoContentResponse({ description: 'The session is in cookies.' })
  @FailureAnswers(
    'invalidCode',
    'forbidden',
    'invalidRequest',
    'payloadTooLarge',
    'unsupportedMediaType',
    'tooManyRequests',
  )
  async exchangeCode(
    @Body() body: Record<string, unknown> | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.rateLimits.count('token', request, reply);
    // The code is taken first and whatever else is wrong comes after: a failed attempt burns it.
    const code = await this.codes.consume(body?.code);
    this.answers.check(request);
    const { redirect_uri: redirectUri } = await validated(TokenRequest, body);
    const tokens =
      code && !('replayOf' in code) && !code.expired && redirectUri === code.frontendUrl
        ? await this.sessions.begin(code.userId, code.provider, originOf(request))
        : null;
    if (tokens === null) throw await this.refusal(request, code);
    this.answers.send(request, reply, tokens);
  }

  private async refusal(
    request: FastifyRequest,
    code: ConsumedCode | { replayOf: number } | null,
  ): Promise<DomainError> {
    const event =
      code !== null && 'replayOf' in code
        ? { action: 'code_replayed', userId: code.replayOf }
        : { action: 'code_refused', userId: code?.userId };
    await audit(this.database, { ...event, actor: 'anonymous' }, originOf(request));
    return new DomainError(
      accountFailures.invalidCode,
      'The code is not known, was used, is older than a minute, or redirect_uri is not the frontend_url that the ' +
        'sign-in began with; sign in again.',
    );
  }
}
