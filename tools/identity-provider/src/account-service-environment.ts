import type { Clients } from './clients.ts';
import type { IdentityProviderEndpoints } from './identity-provider.ts';

type Credentials = Record<keyof Clients, { clientId: string; clientSecret: string }>;

/** Returns the environment variables that connect account-service to this provider, on loopback without TLS. */
export function accountServiceEnvironment(
  { github, google }: IdentityProviderEndpoints,
  clients: Credentials,
): Record<string, string> {
  return {
    ALLOW_INSECURE_PROVIDERS: 'true',
    GITHUB_CLIENT_ID: clients.github.clientId,
    GITHUB_CLIENT_SECRET: clients.github.clientSecret,
    GITHUB_AUTHORIZATION_URL: github.authorizationUrl,
    GITHUB_TOKEN_URL: github.tokenUrl,
    GITHUB_USER_URL: github.userUrl,
    GITHUB_EMAILS_URL: github.emailsUrl,
    GOOGLE_CLIENT_ID: clients.google.clientId,
    GOOGLE_CLIENT_SECRET: clients.google.clientSecret,
    GOOGLE_AUTHORIZATION_URL: google.authorizationUrl,
    GOOGLE_TOKEN_URL: google.tokenUrl,
    GOOGLE_USERINFO_URL: google.userInfoUrl,
  };
}
