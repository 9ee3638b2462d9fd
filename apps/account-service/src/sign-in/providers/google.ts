import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy } from 'passport-google-oauth20';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { parseEmailAddress, normalizeDomain } from '../../customers/email-address.ts';
import { useBoundedTransport } from './bounded-transport.ts';
import { EmailNotVerified, pictureUrl, plainText, type Provider, type ProviderIdentity } from './provider.ts';
import { passThroughStore, passportProvider } from './passport-provider.ts';

type GoogleConfig = NonNullable<ProvidersConfig['google']>;

/** Creates the provider for Google Workspace accounts. */
export function googleProvider(config: GoogleConfig, callbackUrl: string): Provider {
  return passportProvider('google', 'Google', new GoogleStrategy(config, callbackUrl));
}

class GoogleStrategy extends PassportStrategy<typeof Strategy, ProviderIdentity>(Strategy, 'google') {
  constructor({ clientId, clientSecret, endpoints }: GoogleConfig, callbackUrl: string) {
    super({
      clientID: clientId,
      clientSecret,
      callbackURL: callbackUrl,
      authorizationURL: endpoints.authorization,
      tokenURL: endpoints.token,
      userProfileURL: endpoints.userinfo,
      scope: ['openid', 'email', 'profile'],
      pkce: true,
      store: passThroughStore,
    });
    useBoundedTransport(this._oauth2);
  }

  /**
   * Accepts an address only when `hd`, the Workspace domain, equals the domain of the address. A consumer account can
   * be created with any address and outlives employment. See `docs/account-service.md#verified-email`.
   */
  validate(_accessToken: string, _refreshToken: string, profile: Profile): ProviderIdentity {
    const { sub, email, email_verified: verified, hd, name, picture } = profile._json;
    const address = typeof email === 'string' ? parseEmailAddress(email) : null;
    const workspaceDomain = typeof hd === 'string' ? normalizeDomain(hd) : null;
    if (verified !== true || address === null || workspaceDomain !== address.domain) {
      throw new EmailNotVerified(
        'the email address at Google is not verified, or not in its Workspace domain',
      );
    }
    if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub))
      throw new TypeError('Google returned no valid account id');
    return {
      provider: 'google',
      subject: sub,
      email: address.address,
      name: plainText(name, 200),
      avatar: pictureUrl(picture),
    };
  }
}
