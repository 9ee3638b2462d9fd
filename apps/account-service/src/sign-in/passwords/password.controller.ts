import { Body, Controller, Header, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import { Allow, IsString, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../../audit/audit.ts';
import { AuthorizationCodes } from '../../authorization-codes/authorization-codes.service.ts';
import { CodeChallengeParameters } from '../../authorization-codes/code-challenge.ts';
import { BODY_ERRORS, ErrorResponses } from '../../requests/error-responses.ts';
import { type LimitedAction, RateLimited } from '../../requests/rate-limits.ts';
import { hashToken } from '../../secrets/opaque-token.ts';
import { ensureBrowserSecret } from '../browser-cookie.ts';
import { FrontendUrls } from '../frontend-urls.ts';
import { PasswordSignInEnabled } from './password-sign-in-enabled.guard.ts';
import { PASSWORD_METHOD, PasswordSignIn } from './password-sign-in.ts';

class PasswordRequest extends CodeChallengeParameters {
  @IsString()
  @MaxLength(254)
  @ApiProperty({ format: 'email', maxLength: 254 })
  email!: string;

  @IsString()
  @MaxLength(1_000)
  @ApiProperty({ maxLength: 1_000 })
  password!: string;

  /** Checked by the allowlist alone, which reports any invalid value as Invalid Frontend URL. */
  @Allow()
  @ApiProperty({ type: String, description: 'Exactly one of the allowed URLs.' })
  frontend_url: unknown;
}

class CodeResponse {
  @ApiProperty({ description: 'For `POST /auth/token`, with `frontend_url` as its `redirect_uri`.' })
  code!: string;
}

/**
 * Signs users in with email and password, where the deployment enables it (`docs/account-service.md#password-sign-in`).
 */
@ApiTags('Sign-in')
@PublicRoute()
@UseGuards(PasswordSignInEnabled)
@Controller('api/v1/auth/password')
export class PasswordController {
  constructor(
    private readonly rateLimits: RateLimits<LimitedAction>,
    private readonly frontendUrls: FrontendUrls,
    private readonly passwords: PasswordSignIn,
    private readonly codes: AuthorizationCodes,
  ) {}

  @Post()
  @RateLimited('password')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Sign in with email and password',
    description:
      'Available when `GET /auth/methods` lists it. The code is exchanged like that of a provider sign-in.',
  })
  @ApiOkResponse({ type: CodeResponse, description: 'An authorization code.' })
  @ErrorResponses(
    'invalidFrontendUrl',
    'unauthorized',
    'domainNotAllowed',
    'forbidden',
    'notFound',
    ...BODY_ERRORS,
  )
  async signInWithPassword(
    @Body() body: PasswordRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeResponse> {
    const { email, password, code_challenge: codeChallenge = null } = body;
    const frontendUrl = this.frontendUrls.check(body.frontend_url);
    const userId = await this.passwords.identify(email, password, originOf(request));
    await this.rateLimits.count('session', `user:${userId}`, reply);
    const code = await this.codes.issue({
      userId,
      signInMethod: PASSWORD_METHOD,
      frontendUrl,
      codeChallenge,
      browserHash: hashToken(ensureBrowserSecret(request, reply)),
    });
    return { code };
  }
}
