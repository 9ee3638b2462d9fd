import { Inject, Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { AccountConfig } from '../../config/account.config.ts';
import { ACCOUNT_CONFIG } from '../../process.module.ts';
import { githubProvider } from './github.ts';
import { googleProvider } from './google.ts';
import { oidcProvider } from './oidc.ts';
import type { Provider, ProviderId } from './provider.ts';

/** Redirect URI, which must be registered at the provider. */
function callbackUrl(publicUrl: string, id: ProviderId): string {
  return `${publicUrl}/api/v1/auth/${id}/callback`;
}

/** Providers enabled in this deployment. */
@Injectable()
export class Providers {
  /** In the display order of the sign-in page. */
  readonly enabled: readonly Provider[];

  constructor(@Inject(ACCOUNT_CONFIG) { providers, tokens: { issuer: publicUrl } }: AccountConfig) {
    const { github, google, oidc } = providers;
    this.enabled = [
      ...(github ? [githubProvider(github, callbackUrl(publicUrl, 'github'))] : []),
      ...(google ? [googleProvider(google, callbackUrl(publicUrl, 'google'))] : []),
      ...(oidc ? [oidcProvider(oidc, callbackUrl(publicUrl, 'oidc'))] : []),
    ];
  }

  /** @throws {DomainError} 404 when the deployment does not enable the provider */
  get(id: ProviderId): Provider {
    const provider = this.enabled.find((candidate) => candidate.id === id);
    if (!provider) {
      throw new DomainError(
        accountErrors.notFound,
        'This sign-in method is not enabled; GET /api/v1/auth/methods lists the enabled methods.',
      );
    }
    return provider;
  }
}
