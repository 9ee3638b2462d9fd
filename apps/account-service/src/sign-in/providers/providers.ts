import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { githubProvider } from './github.ts';
import { googleProvider } from './google.ts';
import type { Provider, ProviderId } from './provider.ts';

/** Where a provider sends the browser back to; what is registered there must be the same. */
export function callbackUrl(publicUrl: string, id: ProviderId): string {
  return `${publicUrl}/api/v1/auth/${id}/callback`;
}

/** The providers that this deployment has. */
export class Providers {
  /** In the order in which a sign-in page shows them. */
  readonly enabled: readonly Provider[];

  constructor({ github, google }: ProvidersConfig, publicUrl: string) {
    this.enabled = [
      ...(github ? [githubProvider(github, callbackUrl(publicUrl, 'github'))] : []),
      ...(google ? [googleProvider(google, callbackUrl(publicUrl, 'google'))] : []),
    ];
  }

  /** @throws {DomainError} 404 when the deployment does not have it */
  get(id: ProviderId): Provider {
    const provider = this.enabled.find((candidate) => candidate.id === id);
    if (!provider) {
      throw new DomainError(
        accountErrors.notFound,
        'This deployment does not offer this sign-in method; GET /api/v1/auth/methods lists those it does.',
      );
    }
    return provider;
  }
}
