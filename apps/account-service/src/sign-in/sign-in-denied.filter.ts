import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import { acceptsJson } from '../requests/accept.ts';
import { ErrorPage } from './error-page.filter.ts';
import { frontendCallback } from './frontend-urls.ts';
import { redirect } from './redirect.ts';
import { SignInDenied, toDomainError } from './sign-in-errors.ts';
import type { ConsumedAttempt } from './sign-in-attempts.ts';
import { EmailNotVerified } from './strategies/provider.ts';

/** Redirects a denied sign-in to the frontend with the error. Clients that request JSON get the error itself. */
@Catch(SignInDenied)
export class SignInDeniedFilter implements ExceptionFilter {
  constructor(
    private readonly rejections: AnonymousRejections,
    private readonly errors: ErrorPage,
  ) {}

  /** Nest does not await filters, so this one responds to its own failure. */
  async catch(denial: SignInDenied, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    try {
      const { provider, frontendUrl } = request.signInAttempt as ConsumedAttempt;
      await this.record(provider, denial, request);
      if (acceptsJson(request.headers.accept)) return this.errors.catch(toDomainError(denial), host);
      redirect(http.getResponse<FastifyReply>(), frontendCallback(frontendUrl, { error: denial.code }));
    } catch (failure) {
      this.errors.send(failure, request, http.getResponse());
    }
  }

  private async record(
    provider: string,
    { code, user, cause }: SignInDenied,
    request: FastifyRequest,
  ): Promise<void> {
    if (code === 'provider_error') request.log.warn({ provider, err: cause }, 'the provider failed');
    if (cause instanceof EmailNotVerified) {
      request.log.warn(
        { provider, claims: cause.message },
        'the provider sent no verified email address (docs/identity-providers.md#verified-email)',
      );
    }
    const { domain, ...ids } = user;
    const detail = { method: provider, reason: code, ...(domain !== undefined && { domain }) };
    await this.rejections.record({ action: 'sign_in_denied', ...ids, detail }, originOf(request));
  }
}
