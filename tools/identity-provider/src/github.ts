import type { Context } from 'koa';
import type { Provider, errors } from 'oidc-provider';
import { authorizationServer, type Dialect, type ProviderContext } from './authorization-server.ts';
import { githubApi, publicScope, tokenPrefix } from './github-api.ts';

/** Paths below the provider's URL, as at github.com. */
export const githubPaths = {
  authorization: '/login/oauth/authorize',
  token: '/login/oauth/access_token',
} as const;

const dialect: Dialect = {
  name: 'github',
  title: 'GitHub',
  routes: { ...githubPaths, userinfo: '/userinfo' },
  scopes: [publicScope, 'user', 'read:user', 'user:email'],
  claims: {},
  claimsOf: () => ({}),
  hasUserinfo: false,
};

/** Implements https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. */
export function github(context: ProviderContext): Provider {
  const provider = authorizationServer(dialect, context);
  provider.use((ctx, next) => {
    if (ctx.path === githubPaths.authorization && ctx.method === 'GET')
      ctx.query = standardRequest(ctx.query);
    return next();
  });
  provider.use(githubApi(provider, context.directory));
  provider.on('grant.success', (ctx) => sendTokenResponse(ctx, ctx.body as TokenResponse));
  provider.on('grant.error', sendTokenError);
  return provider;
}

/** Translates GitHub's authorization request to RFC 6749: scopes separated by commas, no response_type. */
function standardRequest({ scope, ...request }: Context['query']): Context['query'] {
  return {
    response_type: 'code',
    ...request,
    scope: Array.isArray(scope) ? scope : [publicScope, ...(scope ?? '').split(/[\s,]+/)].join(' ').trim(),
  };
}

interface TokenResponse {
  access_token: string;
  scope: string;
}

function sendTokenResponse(ctx: Context, { access_token: token, scope }: TokenResponse): void {
  send(ctx, {
    access_token: tokenPrefix + token,
    scope: scope
      .split(' ')
      .filter((granted) => granted !== publicScope)
      .join(','),
    token_type: 'bearer',
  });
}

/** https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors */
const tokenErrors = {
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch:
    'The redirect_uri MUST match the registered callback URL for this application and the one in the authorization request.',
  bad_verification_code: 'The code passed is incorrect or expired.',
};

function sendTokenError(
  ctx: Context,
  { error, error_description, error_detail }: errors.OIDCProviderError,
): void {
  const sendError = (code: keyof typeof tokenErrors) =>
    send(ctx, { error: code, error_description: tokenErrors[code] });
  ctx.remove('WWW-Authenticate');
  if (error === 'invalid_client') sendError('incorrect_client_credentials');
  else if (error_detail?.includes('redirect_uri mismatch')) sendError('redirect_uri_mismatch');
  else if (error === 'invalid_grant') sendError('bad_verification_code');
  else send(ctx, { error, error_description: error_description ?? 'The request is invalid.' });
}

/** Sends a form, or JSON if the client accepts it. Like GitHub, errors have status 200 too. */
function send(ctx: Context, fields: Record<string, string>): void {
  const form = 'application/x-www-form-urlencoded';
  const asJson = ctx.accepts(form, 'application/json') === 'application/json';
  ctx.status = 200;
  ctx.body = asJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
  ctx.type = `${asJson ? 'application/json' : form}; charset=utf-8`;
}
