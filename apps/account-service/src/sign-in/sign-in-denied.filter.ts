import { type ArgumentsHost, Catch } from '@nestjs/common';
import { ErrorFilter } from '@gpu-observatory/service-runtime';
import { accountEnvelope } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { originOf } from '../audit/audit.ts';
import { acceptsJson } from '../requests/accept.ts';
import { frontendCallback } from './frontend-urls.ts';
import { redirect } from './redirect.ts';
import { SignInDenied } from './sign-in-errors.ts';
import type { ConsumedAttempt } from './sign-in-attempts.ts';
import { EmailNotVerified } from './strategies/provider.ts';

/** Redirects a denied sign-in to the frontend with the error. Clients that request JSON get the error itself. */
@Catch(SignInDenied)
export class SignInDeniedFilter extends ErrorFilter {
  constructor(private readonly rejections: AnonymousRejections) {
    super(accountEnvelope);
  }

  override catch(denial: SignInDenied, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    // Nest does not await filters, so this one responds to its own failure.
    this.respond(denial, request, reply).catch((failure: unknown) => this.send(failure, request, reply));
  }

  private async respond(denial: SignInDenied, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { provider, frontendUrl } = request.signInAttempt as ConsumedAttempt;
    await this.record(provider, denial, request);
    if (acceptsJson(request.headers.accept)) this.send(denial, request, reply);
    else redirect(reply, frontendCallback(frontendUrl, { error: denial.code }));
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
