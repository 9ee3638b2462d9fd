import { type CanActivate, type ExecutionContext, Inject, mixin, type Type } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { redirect } from './redirect.ts';
import { SignInDenied } from './sign-in-errors.ts';
import { SignInRequests } from './sign-in-requests.ts';
import type { ProviderId } from './sign-in-methods.ts';
import { EmailNotVerified, ProviderFailed, type ProviderIdentity } from './strategies/provider.ts';
import { Providers } from './strategies/providers.ts';

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

/** Returns a guard that runs the Passport strategy of the provider with the request and reply of Fastify. */
function FastifyAuthGuard(provider: ProviderId) {
  class Guard extends AuthGuard(provider) {
    @Inject(SignInRequests)
    protected readonly requests!: SignInRequests;
    @Inject(Providers)
    private readonly providers!: Providers;

    /** HEAD runs no strategy: see `HeadRequests`. */
    override async canActivate(context: ExecutionContext): Promise<boolean> {
      if (context.switchToHttp().getRequest<FastifyRequest>().method === 'HEAD') return true;
      return (await super.canActivate(context)) as boolean;
    }

    /** Selects the strategy of this application. All applications of a process share the registry of Passport. */
    override getRequest(context: ExecutionContext): FastifyRequest {
      passport.use(provider, this.providers.requireEnabled(provider).strategy);
      return context.switchToHttp().getRequest();
    }

    /** Returns the members of a response that Passport uses for a redirect. */
    getResponse(context: ExecutionContext): object {
      const reply = context.switchToHttp().getResponse<FastifyReply>();
      let location = '';
      return {
        setHeader: (name: string, value: string) => {
          if (name === 'Location') location = value;
        },
        end: () => redirect(reply, location),
      };
    }
  }
  return Guard;
}
