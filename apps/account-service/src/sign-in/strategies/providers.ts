import { Injectable } from '@nestjs/common';
import type { Strategy } from 'passport';
import { AccountConfig } from '../../config/account.config.ts';
import { GithubStrategy } from './github.strategy.ts';
import { GoogleStrategy } from './google.strategy.ts';
import { OidcStrategy } from './oidc.strategy.ts';
import type { ProviderId } from '../sign-in-methods.ts';
import { SignInStateStore } from './sign-in-state-store.ts';
import { methodNotEnabled } from '../sign-in-errors.ts';

interface EnabledProvider {
  id: ProviderId;
  /** Display name for sign-in buttons. */
  title: string;
  strategy: Strategy;
}

/**
 * Providers enabled in this deployment, with their Passport strategies. A new one also needs an id (`sign-in-methods.ts`),
 * variables (`config/providers.config.ts`), two routes (`sign-in.controller.ts`) and examples (`openapi/examples.ts`): see
 * `docs/adding-an-endpoint.md#adding-a-sign-in-provider`.
 */
@Injectable()
export class Providers {
  /** In the display order of the sign-in page. */
  readonly enabled: readonly EnabledProvider[];

  constructor({ providers: { github, google, oidc }, tokens }: AccountConfig, store: SignInStateStore) {
    // Redirect URI, which must be registered at the provider.
    const callbackUrl = (id: ProviderId) => `${tokens.issuer}/api/v1/auth/${id}/callback`;
    const enabled: (EnabledProvider | undefined)[] = [
      github && {
        id: 'github',
        title: 'GitHub',
        strategy: new GithubStrategy(github, callbackUrl('github'), store),
      },
      google && {
        id: 'google',
        title: 'Google',
        strategy: new GoogleStrategy(google, callbackUrl('google'), store),
      },
      oidc && { id: 'oidc', title: oidc.title, strategy: new OidcStrategy(oidc, callbackUrl('oidc'), store) },
    ];
    this.enabled = enabled.filter((provider) => provider !== undefined);
  }

  /** @throws {DomainError} 404 when the deployment does not enable the provider */
  requireEnabled(id: ProviderId): EnabledProvider {
    const provider = this.enabled.find((candidate) => candidate.id === id);
    if (provider) return provider;
    throw methodNotEnabled();
  }
}
