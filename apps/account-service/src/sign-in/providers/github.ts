import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy } from 'passport-github2';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { boundTransport } from './bounded-transport.ts';
import { EmailNotVerified, pictureUrl, plainText, type Provider, type ProviderIdentity } from './provider.ts';
import { handedThrough, providerOf } from './run-strategy.ts';

type GithubConfig = NonNullable<ProvidersConfig['github']>;

interface GithubEmail {
  value?: unknown;
  primary?: unknown;
  verified?: unknown;
}

/** GitHub, or GitHub Enterprise by its endpoints. */
export function githubProvider(config: GithubConfig, callbackUrl: string): Provider {
  return providerOf('github', 'GitHub', new GithubStrategy(config, callbackUrl));
}

class GithubStrategy extends PassportStrategy<typeof Strategy, ProviderIdentity>(Strategy, 'github') {
  constructor({ clientId, clientSecret, endpoints }: GithubConfig, callbackUrl: string) {
    super({
      clientID: clientId,
      clientSecret,
      callbackURL: callbackUrl,
      authorizationURL: endpoints.authorization,
      tokenURL: endpoints.token,
      userProfileURL: endpoints.user,
      userEmailURL: endpoints.emails,
      userAgent: 'gpu-observatory',
      scope: ['read:user', 'user:email'],
      allRawEmails: true,
      pkce: true,
      store: handedThrough,
    });
    boundTransport(this._oauth2);
  }

  /**
   * The e-mail of an account's profile is whatever its owner chose to show, or hidden; what counts is the primary one
   * of `/user/emails`, and only when GitHub verified it (decisions, section 3, Verified e-mail).
   */
  validate(_accessToken: string, _refreshToken: string, profile: Profile): ProviderIdentity {
    const emails = (profile.emails ?? []) as GithubEmail[];
    const primary = emails.find((email) => email.primary === true);
    if (primary?.verified !== true || typeof primary.value !== 'string') {
      throw new EmailNotVerified('the primary e-mail at GitHub is not verified');
    }
    if (!/^\d{1,20}$/.test(profile.id)) throw new TypeError('GitHub named no account');
    return {
      provider: 'github',
      subject: profile.id,
      email: primary.value,
      name: plainText(profile.displayName, 200) || plainText(profile.username, 200),
      avatar: pictureUrl(profile.photos?.[0]?.value),
    };
  }
}
