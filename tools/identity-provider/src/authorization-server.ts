import { randomBytes } from 'node:crypto';

import { Provider, interactionPolicy, type AccountClaims, type Configuration, type JWK } from 'oidc-provider';
import type { AccountDirectory } from './account-directory.ts';
import type { Account, ProviderName } from './accounts.ts';
import type { Client } from './clients.ts';
import { consent, consentUrl } from './consent.ts';
import { sendFailurePage } from './pages.ts';
import { memoryStore } from './memory-store.ts';

/** The dependencies of a provider. */
export interface ProviderContext {
  /** Base URL of both providers, without a trailing slash. */
  url: string;
  client: Client;
  directory: AccountDirectory;
  signingKey: JWK;
}

/** The differences between GitHub's and Google's OAuth 2.0. */
export interface Dialect {
  name: ProviderName;
  title: string;
  routes: { authorization: string; token: string; userinfo: string };
  scopes: string[];
  /** Claims of the ID token and of the userinfo endpoint, by scope. */
  claims: Record<string, string[]>;
  claimsOf(account: Account): Omit<AccountClaims, 'sub'>;
  hasUserinfo: boolean;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Creates an OAuth 2.0 authorization server (RFC 6749, RFC 7636) with a consent page at `<url>/<dialect.name>`. */
export function authorizationServer(dialect: Dialect, context: ProviderContext): Provider {
  const { url, client, directory } = context;
  const provider = new Provider(`${url}/${dialect.name}`, configuration(dialect, context));
  provider.use(consent({ provider, name: dialect.name, title: dialect.title, client, directory }));
  provider.on('server_error', (_ctx, error) => console.error(error));
  return provider;
}

function configuration(dialect: Dialect, { client, directory, signingKey }: ProviderContext): Configuration {
  return {
    adapter: memoryStore(),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        client_name: client.name ?? client.clientId,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    responseTypes: ['code'],
    // Neither provider requires PKCE. A code that was requested with a challenge needs its verifier.
    pkce: { required: () => false },
    scopes: dialect.scopes,
    claims: dialect.claims,
    // Google includes the claims of the granted scopes in the ID token; by default they are only in userinfo.
    conformIdTokenClaims: false,
    routes: dialect.routes,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Browsers share cookies between the ports and paths of a host, so each provider has its own names.
      names: {
        session: `${dialect.name}_session`,
        interaction: `${dialect.name}_consent`,
        resume: `${dialect.name}_consent_resume`,
      },
    },
    jwks: { keys: [signingKey] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: dialect.hasUserinfo },
    },
    interactions: {
      url: (_ctx, { uid }) => consentUrl(dialect.name, uid),
      policy: accountSelectionPolicy(),
    },
    ttl: {
      AccessToken: HOUR_SECONDS,
      AuthorizationCode: 10 * MINUTE_SECONDS,
      Grant: HOUR_SECONDS,
      IdToken: HOUR_SECONDS,
      Interaction: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    // Sessions are not stored (see memory-store.ts), so nothing may depend on one.
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    findAccount(_ctx, accountId) {
      const account = directory.bySubject(dialect.name, accountId);
      return account && { accountId, claims: () => ({ ...dialect.claimsOf(account), sub: accountId }) };
    },
    // Choosing an account grants every requested scope, without another page.
    async loadExistingGrant(ctx) {
      const { client: asking, session, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        ...(asking && { clientId: asking.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      });
      grant.addOIDCScope(String(params?.['scope'] ?? ''));
      await grant.save();
      return grant;
    },
    renderError(ctx, { error, error_description: description }) {
      sendFailurePage(
        ctx,
        ctx.status,
        `${dialect.title} sign-in failed`,
        `${error}: ${description ?? 'no details'}`,
      );
    },
  };
}

function accountSelectionPolicy() {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}
