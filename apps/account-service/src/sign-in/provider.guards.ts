import { type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { redirect } from './redirect.ts';
import { SignInDenied } from './sign-in-errors.ts';
import type { ProviderId } from './sign-in-methods.ts';
import { SignInRequests } from './sign-in-requests.ts';
import { EmailNotVerified, ProviderFailed, type ProviderIdentity } from './strategies/provider.ts';
import { Providers } from './strategies/providers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Account at the provider, set by `ReturnFromProvider`. */
    identity?: ProviderIdentity;
  }
}

const PROVIDER = 'sign-in provider';

/** Sets the provider of a route, for its guard. */
export const ForProvider = (provider: ProviderId): MethodDecorator => SetMetadata(PROVIDER, provider);

/**
 * Runs the Passport strategy of the provider of a route, with the request and reply of Fastify. Passport expects those of
 * Express.
 */
@Injectable()
abstract class ProviderGuard extends AuthGuard(PROVIDER) {
  constructor(
    private readonly reflector: Reflector,
    private readonly providers: Providers,
    protected readonly requests: SignInRequests,
  ) {
    super();
  }

  /** Checks the request before the strategy runs. */
  protected abstract prepare(
    provider: ProviderId,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void>;

  /** HEAD runs no strategy: see `HeadRequests`. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (request.method === 'HEAD') return true;
    await this.prepare(this.providerOf(context), request, http.getResponse());
    return (await super.canActivate(context)) as boolean;
  }

  /** Nest calls it directly before Passport, which looks up strategies by name in a registry of the process. */
  override getRequest(context: ExecutionContext): FastifyRequest {
    passport.use(PROVIDER, this.providers.requireEnabled(this.providerOf(context)).strategy);
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

  protected providerOf(context: ExecutionContext): ProviderId {
    return this.reflector.get<ProviderId>(PROVIDER, context.getHandler());
  }
}

/** Redirects the browser to the provider. The handler does not run. */
@Injectable()
export class StartAtProvider extends ProviderGuard {
  protected override prepare(provider: ProviderId, request: FastifyRequest, reply: FastifyReply) {
    return this.requests.start(provider, request, reply);
  }

  override getAuthenticateOptions() {
    // Lets users change the account. Without it, a provider signs in its only account again without a question.
    return { prompt: 'select_account' };
  }
}

/** Consumes the attempt of the browser and identifies the account at the provider. */
@Injectable()
export class ReturnFromProvider extends ProviderGuard {
  protected override prepare(provider: ProviderId, request: FastifyRequest) {
    return this.requests.resume(provider, request);
  }

  override getAuthenticateOptions() {
    return { property: 'identity' };
  }

  /** @throws {SignInDenied} when the provider failed or no email address is verified */
  override handleRequest<User>(
    failure: unknown,
    identity: User | false,
    challenge: unknown,
    context: ExecutionContext,
  ): User {
    if (failure instanceof EmailNotVerified) throw new SignInDenied('email_not_verified', {}, failure);
    if (identity) return identity;
    if (failure instanceof ProviderFailed) throw new SignInDenied('provider_error', {}, failure);
    const cause = new ProviderFailed(`${this.providerOf(context)} did not return a valid response`, {
      cause: failure ?? challenge,
    });
    throw new SignInDenied('provider_error', {}, cause);
  }
}
