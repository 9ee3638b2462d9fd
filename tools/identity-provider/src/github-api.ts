import type { Context, Middleware } from 'koa';
import type { Provider } from 'oidc-provider';
import type { AccountDirectory } from './account-directory.ts';
import type { Account, GithubIdentity } from './accounts.ts';

/** Paths below the provider's URL. At api.github.com they are at the root. */
export const githubApiPaths = { user: '/api/user', emails: '/api/user/emails' } as const;

/** Internal name for GitHub's "(no scope)", which grants public information only. Not visible to clients. */
export const publicScope = 'public';

/** https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/ */
export const tokenPrefix = 'gho_';

const emailScopes = ['user:email', 'user'];

/** Handles `GET /user` and `GET /user/emails`. */
export function githubApi(provider: Provider, directory: AccountDirectory): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/api/')) return next();
    ctx.set('Cache-Control', 'no-store');
    if (!ctx.get('User-Agent')) {
      return fail(
        ctx,
        403,
        'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
      );
    }
    const token = await provider.AccessToken.find(bearer(ctx));
    const account = token?.accountId ? directory.bySubject('github', token.accountId) : undefined;
    if (!token || !account?.github) return fail(ctx, 401, 'Bad credentials');

    const scopes = [...token.scopes].filter((scope) => scope !== publicScope);
    ctx.set('X-OAuth-Scopes', scopes.join(', '));
    if (ctx.method !== 'GET') return fail(ctx, 404, 'Not Found');
    if (ctx.path === githubApiPaths.user) {
      ctx.body = user(account, account.github);
    } else if (ctx.path === githubApiPaths.emails && emailScopes.some((scope) => scopes.includes(scope))) {
      ctx.set('X-Accepted-OAuth-Scopes', emailScopes.join(', '));
      ctx.body = account.github.emails;
    } else {
      // GitHub returns 404 for resources that a token may not read.
      fail(ctx, 404, 'Not Found');
    }
  };
}

function bearer(ctx: Context): string {
  const [, token] = /^(?:bearer|token) +(\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  return token?.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : '';
}

/** https://docs.github.com/en/rest/users/users#get-the-authenticated-user */
function user({ name }: Account, { id, login, avatarUrl, publicEmail }: GithubIdentity) {
  return {
    login,
    id,
    node_id: Buffer.from(`04:User${id}`).toString('base64'),
    avatar_url: avatarUrl,
    html_url: `https://github.com/${login}`,
    type: 'User',
    site_admin: false,
    name,
    email: publicEmail,
  };
}

function fail(ctx: Context, status: number, message: string): void {
  ctx.status = status;
  ctx.body = { message, documentation_url: 'https://docs.github.com/rest', status: String(status) };
}
