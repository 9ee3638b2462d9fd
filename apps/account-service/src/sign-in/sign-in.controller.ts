import {
  applyDecorators,
  Controller,
  Get,
  Query,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { AuthorizationCodes } from '../authorization-codes/authorization-codes.service.ts';
import { ErrorPageResponses } from '../requests/error-responses.ts';
import { type LimitedAction, RateLimited } from '../requests/rate-limits.ts';
import { Admission } from './admission.ts';
import { ErrorPage } from './error-page.filter.ts';
import { frontendCallback } from './frontend-urls.ts';
import { HeadRequests } from './head-requests.ts';
import { ForProvider, ReturnFromProvider, StartAtProvider } from './provider.guards.ts';
import { redirect } from './redirect.ts';
import type { ConsumedAttempt } from './sign-in-attempts.ts';
import { SignInDeniedFilter } from './sign-in-denied.filter.ts';
import { SignInQuery } from './sign-in.dto.ts';
import type { ProviderId } from './sign-in-methods.ts';
import type { ProviderIdentity } from './strategies/provider.ts';

/** Decorates the start of a sign-in. Its handler is empty: the guard redirects to the provider. */
const Start = (provider: ProviderId, name: string) =>
  applyDecorators(
    Get(provider),
    RateLimited('sign-in'),
    ForProvider(provider),
    UseGuards(StartAtProvider),
    ApiOperation({
      summary: `Start a sign-in with ${name}`,
      description:
        'For a browser. Redirects to the provider, and from there to `<frontend_url>/auth/callback?code=…`, or `?error=…` when ' +
        'the sign-in fails.',
    }),
    ApiFoundResponse({ description: 'To the provider.' }),
    ErrorPageResponses('invalidFrontendUrl', 'notFound', 'tooManyRequests'),
  );

const Callback = (provider: ProviderId, name: string) =>
  applyDecorators(
    Get(`${provider}/callback`),
    RateLimited('callback'),
    ForProvider(provider),
    UseGuards(ReturnFromProvider),
    ApiOperation({
      summary: `Receive the redirect from ${name}`,
      description: 'Works only in the browser that started the sign-in. Redirects to the frontend.',
    }),
    ...['state', 'code', 'error'].map((name) => ApiQuery({ name, required: false })),
    ApiFoundResponse({ description: 'To the frontend.' }),
    ErrorPageResponses(
      'domainNotAllowed',
      'googleWorkspaceRequired',
      'forbidden',
      'notFound',
      'tooManyRequests',
    ),
  );

/**
 * Signs users in through a provider (`docs/account-service.md#sign-in`). All handlers take the reply: without it, Nest would send
 * a second response to HEAD.
 */
@ApiTags('Sign-in')
@PublicRoute()
@UseInterceptors(HeadRequests)
@UseFilters(ErrorPage, SignInDeniedFilter)
@Controller('api/v1/auth')
export class SignInController {
  constructor(
    private readonly admission: Admission,
    private readonly rateLimits: RateLimits<LimitedAction>,
    private readonly codes: AuthorizationCodes,
  ) {}

  @Start('github', 'GitHub')
  signInWithGithub(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {}

  @Start('google', 'Google')
  signInWithGoogle(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {}

  @Start('oidc', 'OpenID Connect')
  signInWithOidc(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {}

  @Callback('github', 'GitHub')
  returnFromGithub(@Res() reply: FastifyReply): Promise<void> {
    return this.complete(reply);
  }

  @Callback('google', 'Google')
  returnFromGoogle(@Res() reply: FastifyReply): Promise<void> {
    return this.complete(reply);
  }

  @Callback('oidc', 'OpenID Connect')
  returnFromOidc(@Res() reply: FastifyReply): Promise<void> {
    return this.complete(reply);
  }

  /**
   * Redirects to the frontend with an authorization code.
   *
   * @throws {SignInDenied} when the user may not sign in
   */
  private async complete(reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const identity = request.identity as ProviderIdentity;
    const { frontendUrl, codeChallenge, browserHash } = request.signInAttempt as ConsumedAttempt;
    const { id: userId } = await this.admission.admit(identity, originOf(request));
    await this.rateLimits.count('session', `user:${userId}`, reply);
    const signInMethod = identity.provider;
    const code = await this.codes.issue({ userId, signInMethod, frontendUrl, codeChallenge, browserHash });
    redirect(reply, frontendCallback(frontendUrl, { code }));
  }
}
