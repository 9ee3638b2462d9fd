import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy } from 'passport-google-oauth20';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { parseEmailAddress, normaliseDomain } from '../../customers/email-address.ts';
import { boundTransport } from './bounded-transport.ts';
import { EmailNotVerified, pictureUrl, plainText, type Provider, type ProviderIdentity } from './provider.ts';
import { handedThrough, providerOf } from './run-strategy.ts';

type GoogleConfig = NonNullable<ProvidersConfig['google']>;

/** Google, for people with a Workspace account. */
export function googleProvider(config: GoogleConfig, callbackUrl: string): Provider {
  return providerOf('google', 'Google', new GoogleStrategy(config, callbackUrl));
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
      store: handedThrough,
    });
    boundTransport(this._oauth2);
  }

  /**
   * Google vouches for an address only where `hd`, the Workspace domain, is the address' own: a consumer account may
   * be made with any address, and who leaves the company keeps it (decisions, section 3, Verified e-mail).
   */
  validate(_accessToken: string, _refreshToken: string, profile: Profile): ProviderIdentity {
    const { sub, email, email_verified: verified, hd, name, picture } = profile._json;
    const address = typeof email === 'string' ? parseEmailAddress(email) : null;
    const workspaceDomain = typeof hd === 'string' ? normaliseDomain(hd) : null;
    if (verified !== true || address === null || workspaceDomain !== address.domain) {
      throw new EmailNotVerified('the e-mail at Google is not verified, or not of its Workspace domain');
    }
    if (typeof sub !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(sub))
      throw new TypeError('Google named no account');
    return {
      provider: 'google',
      subject: sub,
      email: address.address,
      name: plainText(name, 200),
      avatar: pictureUrl(picture),
    };
  }
}
