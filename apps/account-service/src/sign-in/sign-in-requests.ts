import { Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { browserSecretOf, ensureBrowserSecret } from './browser-cookie.ts';
import { FrontendUrls } from './frontend-urls.ts';
import { type ConsumedAttempt, SignInAttempts } from './sign-in-attempts.ts';
import { type ProviderCallbackQuery, SignInQuery } from './sign-in.dto.ts';
import { SignInDenied } from './sign-in-errors.ts';
import type { ProviderId } from './sign-in-methods.ts';
import { Providers } from './strategies/providers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sign-in that the request starts, without the PKCE code verifier of the strategy. */
    startingSignIn?: {
      provider: ProviderId;
      browserSecret: string;
      frontendUrl: string;
      codeChallenge: string | null;
    };
    /** Sign-in that the callback consumed. */
    signInAttempt?: ConsumedAttempt;
  }
}

/** Prepares requests for the strategies of the providers. */
@Injectable()
export class SignInRequests {
  constructor(
    private readonly providers: Providers,
    private readonly frontendUrls: FrontendUrls,
    private readonly attempts: SignInAttempts,
    private readonly rejections: AnonymousRejections,
  ) {}

  /** Checks the start of a sign-in. A pipe would run after the guard, which redirects. */
  async start(provider: ProviderId, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const metadata = { type: 'query', metatype: SignInQuery } as const;
    const query = (await requestValidation.transform(request.query, metadata)) as SignInQuery;
    this.providers.requireEnabled(provider);
    const frontendUrl = await this.allowedFrontendUrl(provider, query, request);
    const browserSecret = ensureBrowserSecret(request, reply);
    const { code_challenge: codeChallenge = null } = query;
    request.startingSignIn = { provider, browserSecret, frontendUrl, codeChallenge };
  }

  /**
   * Consumes the attempt of the callback.
   *
   * @throws {DomainError} 400 when this browser started no such sign-in
   * @throws {SignInDenied} when the user or the provider denied the sign-in
   */
  async resume(provider: ProviderId, request: FastifyRequest): Promise<void> {
    const { state, error, code } = request.query as ProviderCallbackQuery;
    const attempt = await this.attempts.consume(provider, browserSecretOf(request), state);
    if (attempt === null) {
      await this.audit(provider, 'unknown_attempt', request);
      throw new DomainError(
        accountErrors.invalidRequest,
        'This browser started no such sign-in, or it has ended or is older than 10 minutes; start again.',
      );
    }
    request.signInAttempt = attempt;
    if (error !== undefined)
      throw new SignInDenied(error === 'access_denied' ? 'access_denied' : 'provider_error');
    if (typeof code !== 'string' || code === '') throw new SignInDenied('provider_error');
  }

  private async allowedFrontendUrl(
    provider: ProviderId,
    query: SignInQuery,
    request: FastifyRequest,
  ): Promise<string> {
    try {
      return this.frontendUrls.check(query.frontend_url);
    } catch (failure) {
      await this.audit(provider, 'invalid_frontend_url', request);
      throw failure;
    }
  }

  private async audit(provider: ProviderId, reason: string, request: FastifyRequest): Promise<void> {
    await this.rejections.record(
      { action: 'sign_in_denied', detail: { method: provider, reason } },
      originOf(request),
    );
  }
}
