import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy } from 'passport-github2';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { useBoundedTransport } from './bounded-transport.ts';
import { oauthOptions } from './oauth-options.ts';
import { EmailNotVerified, pictureUrl, plainText, type ProviderIdentity } from './provider.ts';
import type { SignInStateStore } from './sign-in-state-store.ts';

type GithubConfig = NonNullable<ProvidersConfig['github']>;

interface GithubEmail {
  value?: unknown;
  primary?: unknown;
  verified?: unknown;
}

/**
 * Signs in with GitHub, or with GitHub Enterprise by its endpoints. `Providers` creates it when the deployment has a client
 * at GitHub.
 */
export class GithubStrategy extends PassportStrategy<typeof Strategy, ProviderIdentity>(Strategy, 'github') {
  constructor(config: GithubConfig, callbackUrl: string, store: SignInStateStore) {
    super({
      ...config,
      ...oauthOptions(callbackUrl, store),
      userAgent: 'gpu-observatory',
      scope: ['read:user', 'user:email'],
      allRawEmails: true,
    });
    useBoundedTransport(this._oauth2);
  }

  /** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#1-request-a-users-github-identity */
  override authorizationParams({ prompt }: { prompt: string }): object {
    return { prompt };
  }

  /**
   * Uses the primary address of `/user/emails`, and only when GitHub verified it. The address of the profile is chosen
   * by the user, or hidden. See `docs/identity-providers.md#verified-email`.
   */
  validate(_accessToken: string, _refreshToken: string, profile: Profile): ProviderIdentity {
    const emails = (profile.emails ?? []) as GithubEmail[];
    const primary = emails.find((email) => email.primary === true);
    if (primary?.verified !== true || typeof primary.value !== 'string') {
      throw new EmailNotVerified(primary ? 'the primary address is not verified' : 'no address is primary');
    }
    if (!/^\d{1,20}$/.test(profile.id)) throw new TypeError('GitHub returned no valid account id');
    return {
      provider: 'github',
      subject: profile.id,
      email: primary.value,
      name: plainText(profile.displayName, 200) || plainText(profile.username, 200),
      avatar: pictureUrl(profile.photos?.[0]?.value),
    };
  }
}
