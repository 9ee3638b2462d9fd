import type { Context } from 'koa';
import type { Provider } from 'oidc-provider';
import { authorizationServer, type Dialect, type ProviderContext } from './authorization-server.ts';

/** Paths below the provider's URL, as at accounts.google.com, oauth2.googleapis.com and www.googleapis.com. */
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

/** Implements https://developers.google.com/identity/openid-connect/openid-connect. */
export function google(context: ProviderContext): Provider {
  const provider = authorizationServer(dialect, context);
  provider.use((ctx, next) => {
    if (ctx.path === googlePaths.authorization) grantOpenid(ctx);
    if (ctx.path === googlePaths.userinfo) acceptTokenInQuery(ctx);
    return next();
  });
  return provider;
}

/** Adds the scope `openid`. Google grants it with `email` and `profile` even if the client does not request it. */
function grantOpenid(ctx: Context): void {
  const { scope } = ctx.query;
  if (typeof scope !== 'string') return;
  ctx.query = { ...ctx.query, scope: [...new Set(['openid', ...scope.split(' ')])].join(' ') };
}

/** Accepts `?access_token=` (RFC 6750, section 2.3), as Google does; `passport-google-oauth20` uses it. */
function acceptTokenInQuery(ctx: Context): void {
  const { access_token: token, ...query } = ctx.query;
  if (typeof token !== 'string' || ctx.get('Authorization')) return;
  ctx.query = query;
  ctx.req.headers.authorization = `Bearer ${token}`;
}
