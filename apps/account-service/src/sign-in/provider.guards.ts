import { type CanActivate, type ExecutionContext, mixin, type Type } from '@nestjs/common';
import { FastifyAuthGuard } from './fastify-auth.guard.ts';
import { SignInDenied } from './sign-in-errors.ts';
import type { ProviderId } from './sign-in-methods.ts';
import { EmailNotVerified, ProviderFailed, type ProviderIdentity } from './strategies/provider.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account at the provider, set by `ReturnFromProvider`. */
    identity?: ProviderIdentity;
  }
}

/** Redirects the browser to the provider. The handler does not run. */
export function StartAtProvider(provider: ProviderId): Type<CanActivate> {
  class StartGuard extends FastifyAuthGuard(provider) {
    override async getAuthenticateOptions(context: ExecutionContext) {
      const http = context.switchToHttp();
      await this.requests.start(provider, http.getRequest(), http.getResponse());
      // Lets users change the account. Without it, a provider signs in its only account again without a question.
      return { prompt: 'select_account' };
    }
  }
  return mixin(StartGuard);
}

/** Consumes the attempt of the browser and identifies the account at the provider. */
export function ReturnFromProvider(provider: ProviderId): Type<CanActivate> {
  class CallbackGuard extends FastifyAuthGuard(provider) {
    override async getAuthenticateOptions(context: ExecutionContext) {
      await this.requests.resume(provider, context.switchToHttp().getRequest());
      return { property: 'identity' };
    }

    /** @throws {SignInDenied} when the provider failed or no email address is verified */
    override handleRequest<User>(failure: unknown, identity: User | false, challenge: unknown): User {
      if (failure instanceof EmailNotVerified) throw new SignInDenied('email_not_verified', {}, failure);
      if (identity) return identity;
      if (failure instanceof ProviderFailed) throw new SignInDenied('provider_error', {}, failure);
      const cause = new ProviderFailed(`${provider} did not return a valid response`, {
        cause: failure ?? challenge,
      });
      throw new SignInDenied('provider_error', {}, cause);
    }
  }
  return mixin(CallbackGuard);
}
