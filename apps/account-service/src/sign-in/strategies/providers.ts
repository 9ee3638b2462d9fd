import { Injectable } from '@nestjs/common';
import type { Strategy } from 'passport';
import { AccountConfig } from '../../config/account.config.ts';
import { GithubStrategy } from './github.strategy.ts';
import { GoogleStrategy } from './google.strategy.ts';
import { OidcStrategy } from './oidc.strategy.ts';
import type { ProviderId } from '../sign-in-methods.ts';
import { SignInStateStore } from './sign-in-state-store.ts';
import { methodNotEnabled } from '../sign-in-errors.ts';

export interface EnabledProvider {
  id: ProviderId;
  /** Display name for sign-in buttons. */
  title: string;
  strategy: Strategy;
}

/** Providers enabled in this deployment, with their Passport strategies. */
@Injectable()
export class Providers {
  /** In the display order of the sign-in page. */
  readonly enabled: readonly EnabledProvider[];

  constructor({ providers, tokens }: AccountConfig, store: SignInStateStore) {
    const { github, google, oidc } = providers;
    const enabled: EnabledProvider[] = [];
    // Redirect URI, which must be registered at the provider.
    const callbackUrl = (id: ProviderId) => `${tokens.issuer}/api/v1/auth/${id}/callback`;
    if (github) {
      const strategy = new GithubStrategy(github, callbackUrl('github'), store);
      enabled.push({ id: 'github', title: 'GitHub', strategy });
    }
    if (google) {
      const strategy = new GoogleStrategy(google, callbackUrl('google'), store);
      enabled.push({ id: 'google', title: 'Google', strategy });
    }
    if (oidc) {
      const strategy = new OidcStrategy(oidc, callbackUrl('oidc'), store);
      enabled.push({ id: 'oidc', title: oidc.title, strategy });
    }
    this.enabled = enabled;
  }

  /** @throws {DomainError} 404 when the deployment does not enable the provider */
  requireEnabled(id: ProviderId): EnabledProvider {
    const provider = this.enabled.find((candidate) => candidate.id === id);
    if (provider) return provider;
    throw methodNotEnabled();
  }
}
