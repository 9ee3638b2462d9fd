import {
  applyDecorators,
  Controller,
  Get,
  Query,
  Req,
  Res,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import { AuthorizationCodes } from '../authorization-codes/authorization-codes.ts';
import { acceptsJson } from '../requests/accept.ts';
import { ErrorPageResponses } from '../requests/error-responses.ts';
import { RateLimited } from '../requests/rate-limit.guard.ts';
import { RateLimits } from '../requests/rate-limits.ts';
import { Admission } from './admission.ts';
import { browserSecretOf, ensureBrowserSecret } from './browser-cookie.ts';
import { ErrorPage } from './error-page.filter.ts';
import { HeadRequests } from './head-requests.ts';
import { frontendCallback, FrontendUrls } from './frontend-urls.ts';
import {
  EmailNotVerified,
  ProviderFailed,
  type ProviderId,
  type ProviderIdentity,
} from './providers/provider.ts';
import { Providers } from './providers/providers.ts';
import { toDomainError, SignInDenied } from './sign-in-errors.ts';
import { type ConsumedAttempt, SignInAttempts } from './sign-in-attempts.ts';
import { type ProviderCallbackQuery, SignInQuery } from './sign-in.dto.ts';

const Start = (providerName: string) =>
  applyDecorators(
    RateLimited('sign-in'),
    ApiOperation({
      summary: `Start a sign-in with ${providerName}`,
      description:
        'For a browser. Redirects to the provider, and from there to `<frontend_url>/auth/callback?code=…`, or `?error=…` when ' +
        'the sign-in fails.',
    }),
    ApiFoundResponse({ description: 'To the provider.' }),
    ErrorPageResponses('invalidFrontendUrl', 'invalidRequest', 'notFound', 'tooManyRequests'),
  );

const Callback = (providerName: string) =>
  applyDecorators(
    RateLimited('callback'),
    ApiOperation({
      summary: `Receive the redirect from ${providerName}`,
      description: 'Works only in the browser that started the sign-in. Redirects to the frontend.',
    }),
    ...['state', 'code', 'error'].map((name) => ApiQuery({ name, required: false })),
    ApiFoundResponse({ description: 'To the frontend.' }),
    ErrorPageResponses(
      'domainNotAllowed',
      'googleWorkspaceRequired',
      'forbidden',
      'invalidRequest',
      'notFound',
      'tooManyRequests',
    ),
  );

/** Signs users in through a provider (`docs/account-service.md#sign-in`). */
@ApiTags('Sign-in')
@PublicRoute()
@UseInterceptors(HeadRequests)
@UseFilters(ErrorPage)
@Controller('api/v1/auth')
export class SignInController {
  constructor(
    private readonly rejections: AnonymousRejections,
    private readonly rateLimits: RateLimits,
    private readonly frontendUrls: FrontendUrls,
    private readonly providers: Providers,
    private readonly attempts: SignInAttempts,
    private readonly admission: Admission,
    private readonly codes: AuthorizationCodes,
  ) {}

  @Get('github')
  @Start('GitHub')
  async signInWithGithub(
    @Query() query: SignInQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.start('github', query, request, reply);
  }

  @Get('google')
  @Start('Google')
  async signInWithGoogle(
    @Query() query: SignInQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.start('google', query, request, reply);
  }

  @Get('oidc')
  @Start('OpenID Connect')
  async signInWithOidc(
    @Query() query: SignInQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.start('oidc', query, request, reply);
  }

  @Get('github/callback')
  @Callback('GitHub')
  async returnFromGithub(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.finish('github', request, reply);
  }

  @Get('google/callback')
  @Callback('Google')
  async returnFromGoogle(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.finish('google', request, reply);
  }

  @Get('oidc/callback')
  @Callback('OpenID Connect')
  async returnFromOidc(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.finish('oidc', request, reply);
  }

  private async start(
    id: ProviderId,
    query: SignInQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const provider = this.providers.get(id);
    const frontendUrl = await this.allowedFrontendUrl(id, query, request);
    const browserSecret = ensureBrowserSecret(request, reply);
    const location = await provider.authorizationUrl((codeVerifier) =>
      this.attempts.start(id, browserSecret, {
        frontendUrl,
        codeVerifier,
        codeChallenge: query.code_challenge ?? null,
      }),
    );
    redirect(reply, location);
  }

  private async allowedFrontendUrl(
    provider: ProviderId,
    query: SignInQuery,
    request: FastifyRequest,
  ): Promise<string> {
    try {
      return this.frontendUrls.check(query.frontend_url);
    } catch (failure) {
      await this.audit({ provider, reason: 'invalid_frontend_url' }, request);
      throw failure;
    }
  }

  private async finish(id: ProviderId, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const query = request.query as ProviderCallbackQuery;
    const attempt = await this.consumeAttempt(id, request, query);
    try {
      const identity = await this.identify(id, query, attempt);
      const user = await this.admission.admit(identity, originOf(request));
      await this.rateLimits.count('session', `user:${user.id}`, reply);
      const code = await this.codes.issue({
        userId: user.id,
        provider: id,
        frontendUrl: attempt.frontendUrl,
        codeChallenge: attempt.codeChallenge,
        browserHash: attempt.browserHash,
      });
      redirect(reply, frontendCallback(attempt.frontendUrl, { code }));
    } catch (failure) {
      if (!(failure instanceof SignInDenied)) throw failure;
      await this.recordDenial(id, failure, request);
      if (acceptsJson(request.headers.accept)) throw toDomainError(failure);
      redirect(reply, frontendCallback(attempt.frontendUrl, { error: failure.code }));
    }
  }

  private async consumeAttempt(
    id: ProviderId,
    request: FastifyRequest,
    query: ProviderCallbackQuery,
  ): Promise<ConsumedAttempt> {
    const attempt = await this.attempts.consume(id, browserSecretOf(request), query.state);
    if (attempt === null) {
      await this.audit({ provider: id, reason: 'unknown_attempt' }, request);
      throw new DomainError(
        accountErrors.invalidRequest,
        'This browser started no such sign-in, or it has ended or is older than 10 minutes; start again.',
      );
    }
    return attempt;
  }

  /** @throws {SignInDenied} when the user or the provider denied the sign-in, or no email address is verified */
  private async identify(
    id: ProviderId,
    { code, error, iss }: ProviderCallbackQuery,
    { codeVerifier }: ConsumedAttempt,
  ): Promise<ProviderIdentity> {
    if (error !== undefined) {
      throw new SignInDenied(error === 'access_denied' ? 'access_denied' : 'provider_error');
    }
    if (typeof code !== 'string' || code === '') throw new SignInDenied('provider_error');
    try {
      return await this.providers.get(id).identify(code, codeVerifier, iss);
    } catch (failure) {
      if (failure instanceof EmailNotVerified) throw new SignInDenied('email_not_verified', {}, failure);
      if (failure instanceof ProviderFailed) throw new SignInDenied('provider_error', {}, failure);
      throw failure;
    }
  }

  private async recordDenial(
    provider: ProviderId,
    { code, user, cause }: SignInDenied,
    request: FastifyRequest,
  ): Promise<void> {
    if (code === 'provider_error') request.log.warn({ provider, err: cause }, 'the provider failed');
    if (cause instanceof EmailNotVerified) {
      request.log.warn(
        { provider, claims: cause.message },
        'the provider sent no verified email address (docs/account-service.md#verified-email)',
      );
    }
    const { domain, ...ids } = user;
    await this.audit({ provider, reason: code, ...(domain !== undefined && { domain }) }, request, ids);
  }

  private async audit(
    detail: { provider: ProviderId; reason: string; domain?: string },
    request: FastifyRequest,
    ids: { userId?: number; customerId?: number } = {},
  ): Promise<void> {
    await this.rejections.record({ action: 'sign_in_denied', ...ids, detail }, originOf(request));
  }
}

/** Redirects without caching, and without a Referer header for the next site. */
function redirect(reply: FastifyReply, location: string): void {
  void reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(location, 302);
}
