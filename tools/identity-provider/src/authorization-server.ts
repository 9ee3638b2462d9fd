import { randomBytes } from 'node:crypto';

import { Provider, interactionPolicy, type AccountClaims, type Configuration, type JWK } from 'oidc-provider';
import type { AccountDirectory } from './account-directory.ts';
import type { Account, ProviderName } from './accounts.ts';
import type { Client } from './clients.ts';
import { consent, consentUrl } from './consent.ts';
import { sendFailurePage } from './pages.ts';
import { volatileStore } from './volatile-store.ts';

/** What a provider needs of its surroundings. */
export interface Surroundings {
  /** The address of both providers, without a slash at its end. */
  url: string;
  client: Client;
  directory: AccountDirectory;
  signingKey: JWK;
}

/** Where GitHub and Google differ inside OAuth 2.0. */
export interface Dialect {
  name: ProviderName;
  title: string;
  routes: { authorization: string; token: string; userinfo: string };
  scopes: string[];
  /** The claims of an ID token and of the userinfo endpoint by scope. */
  claims: Record<string, string[]>;
  claimsOf(account: Account): Omit<AccountClaims, 'sub'>;
  hasUserinfo: boolean;
}

const minute = 60;
const hour = 60 * minute;

/** An OAuth 2.0 authorization server (RFC 6749, RFC 7636) with the consent page, at `<url>/<dialect.name>`. */
export function authorizationServer(dialect: Dialect, surroundings: Surroundings): Provider {
  const { url, client, directory } = surroundings;
  const provider = new Provider(`${url}/${dialect.name}`, configuration(dialect, surroundings));
  provider.use(consent({ provider, name: dialect.name, title: dialect.title, client, directory }));
  provider.on('server_error', (_ctx, error) => console.error(error));
  return provider;
}

function configuration(dialect: Dialect, { client, directory, signingKey }: Surroundings): Configuration {
  return {
    adapter: volatileStore(),
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
    // Neither provider demands PKCE; a code that was asked for with a challenge is bound to it.
    pkce: { required: () => false },
    scopes: dialect.scopes,
    claims: dialect.claims,
    // Google puts the claims of the granted scopes into the ID token; the standard would leave them to userinfo.
    conformIdTokenClaims: false,
    routes: dialect.routes,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Browsers share cookies between the ports of a host, so the names keep the providers apart.
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
      policy: promptsWithAccountSelection(),
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 10 * minute,
      Grant: hour,
      IdToken: hour,
      Interaction: hour,
      Session: hour,
    },
    // Sessions are never found again, so nothing may hang on one.
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    findAccount(_ctx, accountId) {
      const account = directory.bySubject(dialect.name, accountId);
      return account && { accountId, claims: () => ({ ...dialect.claimsOf(account), sub: accountId }) };
    },
    // Who chose an account agreed to what the client asks: every scope is granted without another page.
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
        `${dialect.title} cannot go on`,
        `${error}: ${description ?? 'no detail'}`,
      );
    },
  };
}

function promptsWithAccountSelection() {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}
