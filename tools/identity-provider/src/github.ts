import type { Context } from 'koa';
import type { Provider, errors } from 'oidc-provider';
import { authorizationServer, type Dialect, type Surroundings } from './authorization-server.ts';
import { githubApi, publicScope, tokenPrefix } from './github-api.ts';

/** Below the provider's address, as on github.com. */
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

/** GitHub's OAuth apps, as https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps describes them. */
export function github(surroundings: Surroundings): Provider {
  const provider = authorizationServer(dialect, surroundings);
  provider.use((ctx, next) => {
    if (ctx.path === githubPaths.authorization && ctx.method === 'GET')
      ctx.query = standardRequest(ctx.query);
    return next();
  });
  provider.use(githubApi(provider, surroundings.directory));
  provider.on('grant.success', (ctx) => answerToken(ctx, ctx.body as TokenAnswer));
  provider.on('grant.error', answerError);
  return provider;
}

/** GitHub's request in the terms of RFC 6749: commas between scopes, no response_type, `login` for a hint. */
function standardRequest({ scope, login, ...request }: Context['query']): Context['query'] {
  return {
    response_type: 'code',
    ...request,
    ...(login !== undefined && { login_hint: login }),
    scope: Array.isArray(scope) ? scope : [publicScope, ...(scope ?? '').split(/[\s,]+/)].join(' ').trim(),
  };
}

interface TokenAnswer {
  access_token: string;
  scope: string;
}

function answerToken(ctx: Context, { access_token: token, scope }: TokenAnswer): void {
  answer(ctx, {
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
    'The redirect_uri MUST match the registered callback URL for this application and the one the code was asked for with.',
  bad_verification_code: 'The code passed is incorrect or expired.',
};

function answerError(
  ctx: Context,
  { error, error_description, error_detail }: errors.OIDCProviderError,
): void {
  const refused = (code: keyof typeof tokenErrors) =>
    answer(ctx, { error: code, error_description: tokenErrors[code] });
  ctx.remove('WWW-Authenticate');
  if (error === 'invalid_client') refused('incorrect_client_credentials');
  else if (error_detail?.includes('redirect_uri mismatch')) refused('redirect_uri_mismatch');
  else if (error === 'invalid_grant') refused('bad_verification_code');
  else answer(ctx, { error, error_description: error_description ?? 'The request is not understood.' });
}

/** A form unless the client accepts JSON; 200 also for an error, which is GitHub's way. */
function answer(ctx: Context, fields: Record<string, string>): void {
  const form = 'application/x-www-form-urlencoded';
  const asJson = ctx.accepts(form, 'application/json') === 'application/json';
  ctx.status = 200;
  ctx.body = asJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
  ctx.type = `${asJson ? 'application/json' : form}; charset=utf-8`;
}
