import { Body, Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import { PublicRoute } from '@gpu-observatory/token-verification';
import { Allow, IsString, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { AuthorizationCodes } from '../authorization-codes/authorization-codes.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { validated } from '../requests/request-validation.ts';
import { FrontendUrls } from '../sign-in/frontend-urls.ts';
import { PASSWORD_METHOD, PasswordSignIn } from './password-sign-in.ts';

class PasswordRequest {
  @IsString()
  @MaxLength(254)
  @ApiProperty({ format: 'email', maxLength: 254 })
  email!: string;

  @IsString()
  @MaxLength(1_000)
  @ApiProperty({ maxLength: 1_000 })
  password!: string;

  /** Judged by the allowlist alone: whatever is wrong with it, the answer is Invalid Frontend URL. */
  @Allow()
  @ApiProperty({ type: String, description: 'Exactly one of the allowed addresses.' })
  frontend_url: unknown;
}

class CodeAnswer {
  @ApiProperty({ description: 'For `POST /auth/token`, with `frontend_url` as its `redirect_uri`.' })
  code!: string;
}

/** Sign-in with e-mail and password, where a deployment enables it. */
@ApiTags('sign-in')
@PublicRoute()
@Controller('api/v1/auth/password')
export class PasswordController {
  constructor(
    private readonly rateLimits: RateLimits,
    private readonly frontendUrls: FrontendUrls,
    private readonly passwords: PasswordSignIn,
    private readonly codes: AuthorizationCodes,
  ) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Sign in with e-mail and password',
    description: 'Only where `GET /auth/methods` lists it. The code is exchanged like any other.',
  })
  @ApiBody({ type: PasswordRequest })
  @ApiOkResponse({ type: CodeAnswer, description: 'A code for the exchange.' })
  @ErrorResponses(
    'invalidFrontendUrl',
    'invalidRequest',
    'unauthorized',
    'domainNotAllowed',
    'forbidden',
    'notFound',
    'payloadTooLarge',
    'unsupportedMediaType',
    'tooManyRequests',
  )
  async signInWithPassword(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CodeAnswer> {
    if (!this.passwords.enabled) {
      throw new DomainError(
        accountErrors.notFound,
        'This deployment does not offer this sign-in method; GET /api/v1/auth/methods lists those it does.',
      );
    }
    await this.rateLimits.count('password', request, reply);
    const { email, password, frontend_url: given } = await validated(PasswordRequest, body);
    const frontendUrl = this.frontendUrls.check(given);
    const userId = await this.passwords.identify(email, password, originOf(request));
    return { code: await this.codes.issue({ userId, provider: PASSWORD_METHOD, frontendUrl }) };
  }
}
