import type { Context } from 'koa';
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
    if (ctx.path === googlePaths.authorization) grantOpenid(ctx);
    if (ctx.path === googlePaths.userinfo) acceptTokenInQuery(ctx);
    return next();
  });
  return provider;
}

/** Google grants `openid` with `email` and `profile` also to clients that do not ask for it. */
function grantOpenid(ctx: Context): void {
  const { scope } = ctx.query;
  if (typeof scope !== 'string') return;
  ctx.query = { ...ctx.query, scope: [...new Set(['openid', ...scope.split(' ')])].join(' ') };
}

/** Google still accepts `?access_token=` (RFC 6750, section 2.3), which is how `passport-google-oauth20` asks. */
function acceptTokenInQuery(ctx: Context): void {
  const { access_token: token, ...query } = ctx.query;
  if (typeof token !== 'string' || ctx.get('Authorization')) return;
  ctx.query = query;
  ctx.req.headers.authorization = `Bearer ${token}`;
}
