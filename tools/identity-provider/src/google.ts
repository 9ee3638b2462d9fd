import type { Provider } from 'oidc-provider';
import { authorizationServer, type Dialect, type Surroundings } from './authorization-server.ts';

/** Below the provider's address, as on accounts.google.com, oauth2.googleapis.com and www.googleapis.com. */
export const googlePaths = {
  authorization: '/o/oauth2/v2/auth',
  token: '/token',
  userinfo: '/oauth2/v3/userinfo',
} as const;

const emailClaims = ['email', 'email_verified', 'hd'];
const profileClaims = ['name', 'given_name', 'family_name', 'picture'];

/** https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload */
const dialect: Dialect = {
  name: 'google',
  title: 'Google',
  routes: googlePaths,
  scopes: [
    'openid',
    'email',
    'profile',
    'https://www.googleapis.com/auth/userinfo.email',
    'https://www.googleapis.com/auth/userinfo.profile',
  ],
  claims: {
    openid: ['sub'],
    email: emailClaims,
    profile: profileClaims,
    'https://www.googleapis.com/auth/userinfo.email': emailClaims,
    'https://www.googleapis.com/auth/userinfo.profile': profileClaims,
  },
  claimsOf({ name, google }) {
    const [givenName, ...familyNames] = name.split(' ');
    return {
      name,
      given_name: givenName,
      family_name: familyNames.join(' ') || undefined,
      picture: google?.pictureUrl,
      email: google?.email,
      email_verified: google?.emailVerified,
      hd: google?.hd,
    };
  },
  hasUserinfo: true,
};

/** Google's OpenID Connect, as https://developers.google.com/identity/openid-connect/openid-connect describes it. */
export function google(surroundings: Surroundings): Provider {
  const provider = authorizationServer(dialect, surroundings);
  provider.use((ctx, next) => {
    // Google grants `openid` with `email` and `profile` also to clients that do not ask for it.
    const { scope } = ctx.query;
    if (ctx.path === googlePaths.authorization && typeof scope === 'string') {
      ctx.query = { ...ctx.query, scope: [...new Set(['openid', ...scope.split(' ')])].join(' ') };
    }
    return next();
  });
  return provider;
}
