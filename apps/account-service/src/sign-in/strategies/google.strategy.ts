import { PassportStrategy } from '@nestjs/passport';
import { type Profile, Strategy } from 'passport-google-oauth20';
import type { ProvidersConfig } from '../../config/providers.config.ts';
import { normalizeDomain } from '../../tenants/email-address.ts';
import { useBoundedTransport } from './bounded-transport.ts';
import { describeEmailClaims } from './email-claims.ts';
import { oauthOptions } from './oauth-options.ts';
import {
  EmailNotVerified,
  isSubject,
  isTrue,
  pictureUrl,
  plainText,
  type ProviderIdentity,
} from './provider.ts';
import type { SignInStateStore } from './sign-in-state-store.ts';

type GoogleConfig = NonNullable<ProvidersConfig['google']>;

/** Signs in with Google accounts. `Providers` creates it when the deployment has a client at Google. */
export class GoogleStrategy extends PassportStrategy<typeof Strategy, ProviderIdentity>(Strategy, 'google') {
  constructor(config: GoogleConfig, callbackUrl: string, store: SignInStateStore) {
    super({ ...config, ...oauthOptions(callbackUrl, store), scope: ['openid', 'email', 'profile'] });
    useBoundedTransport(this._oauth2);
  }

  /** Returns `hd` too, which a customer may require. See `docs/identity-providers.md#verified-email`. */
  validate(_accessToken: string, _refreshToken: string, profile: Profile): ProviderIdentity {
    const { sub, email, email_verified: verified, hd, name, picture } = profile._json;
    if (typeof email !== 'string' || !isTrue(verified)) {
      throw new EmailNotVerified(describeEmailClaims(profile._json as Record<string, unknown>));
    }
    const workspaceDomain = typeof hd === 'string' ? normalizeDomain(hd) : null;
    if (!isSubject(sub)) throw new TypeError('Google returned no valid account id');
    return {
      provider: 'google',
      subject: sub,
      email,
      name: plainText(name, 200),
      avatar: pictureUrl(picture),
      ...(workspaceDomain !== null && { workspaceDomain }),
    };
  }
}
