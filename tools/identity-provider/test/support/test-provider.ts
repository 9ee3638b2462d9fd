import {
  demoAccounts,
  signInWithoutBrowser,
  startIdentityProvider,
  type Account,
  type IdentityProvider,
} from '../../src/index.ts';

/** Never fetched: a sign-in stops at the redirect to this URL. */
export const callbackUrl = 'http://localhost:14002/callback';
export const callbackOrigin = new URL(callbackUrl).origin;

export const clients = {
  github: {
    clientId: 'github-client',
    clientSecret: 'github-secret',
    redirectUris: [callbackUrl],
    name: 'GPU <Observatory>',
  },
  google: { clientId: 'google-client', clientSecret: 'google-secret', redirectUris: [callbackUrl] },
};

/** Starts an identity provider on a free port. The caller stops it. */
export async function startTestProvider(accounts: Account[] = demoAccounts): Promise<IdentityProvider> {
  return startIdentityProvider({ port: 0, accounts, clients });
}

export type ProviderName = 'github' | 'google';

export type AuthorizationParameters = Record<string, string | undefined>;

/** Example of RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Builds an authorization request with PKCE and state; undefined removes a parameter. */
export function authorizationUrl(
  provider: IdentityProvider,
  providerName: ProviderName,
  parameters: AuthorizationParameters = {},
): URL {
  const url = new URL(provider[providerName].authorizationUrl);
  const all = {
    client_id: clients[providerName].clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope: providerName === 'github' ? 'read:user,user:email' : 'email profile',
    state: 'state-of-the-client',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Signs in with the account of `email` and returns the callback URL. */
export function signIn(
  provider: IdentityProvider,
  providerName: ProviderName,
  email: string,
  parameters: AuthorizationParameters = {},
): Promise<URL> {
  return signInWithoutBrowser(authorizationUrl(provider, providerName, parameters), email, {
    frontendOrigin: callbackOrigin,
  });
}

/** Exchanges a code for tokens; undefined removes a field. */
export async function redeem(
  provider: IdentityProvider,
  providerName: ProviderName,
  code: string,
  { accept, ...fields }: Record<string, string | undefined> = {},
): Promise<Response> {
  const all = {
    grant_type: 'authorization_code',
    client_id: clients[providerName].clientId,
    client_secret: clients[providerName].clientSecret,
    redirect_uri: callbackUrl,
    code_verifier: verifier,
    code,
    ...fields,
  };
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) body.set(name, value);
  return fetch(provider[providerName].tokenUrl, { method: 'POST', body, headers: accept ? { accept } : {} });
}
