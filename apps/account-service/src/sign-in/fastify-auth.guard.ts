import { type ExecutionContext, Inject } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { redirect } from './redirect.ts';
import type { ProviderId } from './sign-in-methods.ts';
import { SignInRequests } from './sign-in-requests.ts';
import { Providers } from './strategies/providers.ts';

/**
 * Returns a guard that runs the Passport strategy of the provider with the request and reply of Fastify. Passport expects those
 * of Express. Nest creates the guard, so its dependencies are properties.
 */
export function FastifyAuthGuard(provider: ProviderId) {
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
