import { ConfigurationError, setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { type OidcConfig, oidcConfig, oidcSettings, optionalText } from './oidc.config.ts';

const endpoint = (description: string, defaultValue: string) =>
  z
    .url({ protocol: /^https?$/ })
    .prefault(defaultValue)
    .describe(
      `${description}, an https URL, or http for development with ALLOW_INSECURE_PROVIDERS=true (default ${defaultValue})`,
    );

const endpointSettings = {
  GITHUB_AUTHORIZATION_URL: endpoint('authorization endpoint', 'https://github.com/login/oauth/authorize'),
  GITHUB_TOKEN_URL: endpoint('token endpoint', 'https://github.com/login/oauth/access_token'),
  GITHUB_USER_URL: endpoint('endpoint of the signed-in account', 'https://api.github.com/user'),
  GITHUB_EMAILS_URL: endpoint(
    'endpoint of the email addresses of the signed-in account',
    'https://api.github.com/user/emails',
  ),
  GOOGLE_AUTHORIZATION_URL: endpoint(
    'authorization endpoint',
    'https://accounts.google.com/o/oauth2/v2/auth',
  ),
  GOOGLE_TOKEN_URL: endpoint('token endpoint', 'https://oauth2.googleapis.com/token'),
  GOOGLE_USERINFO_URL: endpoint(
    'userinfo endpoint, ending in /userinfo',
    'https://www.googleapis.com/oauth2/v3/userinfo',
  ),
};

export const providerSettings = {
  GITHUB_CLIENT_ID: optionalText('client id of the GitHub OAuth app; unset disables sign-in with GitHub'),
  GITHUB_CLIENT_SECRET: optionalText('client secret of the GitHub OAuth app'),
  GOOGLE_CLIENT_ID: optionalText('client id of the Google OAuth client; unset disables sign-in with Google'),
  GOOGLE_CLIENT_SECRET: optionalText('client secret of the Google OAuth client'),
  ...oidcSettings,
  ...endpointSettings,
  ALLOW_INSECURE_PROVIDERS: setting.flag('whether provider endpoints may use http, for development', 'false'),
};

type ProviderSettings = z.infer<z.ZodObject<typeof providerSettings>>;

/** OAuth client credentials and endpoints of a provider. */
interface ProviderConfig<Endpoints extends string> {
  clientId: string;
  clientSecret: string;
  endpoints: Record<Endpoints, string>;
}

export interface ProvidersConfig {
  github?: ProviderConfig<'authorization' | 'token' | 'user' | 'emails'>;
  google?: ProviderConfig<'authorization' | 'token' | 'userinfo'>;
  oidc?: OidcConfig;
}

/**
 * Without a client, users sign in with passwords only.
 *
 * @throws {ConfigurationError} for an incomplete client or an endpoint without https
 */
export function providersConfig(settings: ProviderSettings): ProvidersConfig {
  const faults = [...insecureEndpoints(settings), ...incompleteClients(settings)];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
  const oidc = oidcConfig(settings, settings.ALLOW_INSECURE_PROVIDERS);
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = settings;
  return {
    ...(GITHUB_CLIENT_ID !== undefined && {
      github: {
        clientId: GITHUB_CLIENT_ID,
        clientSecret: GITHUB_CLIENT_SECRET as string,
        endpoints: {
          authorization: settings.GITHUB_AUTHORIZATION_URL,
          token: settings.GITHUB_TOKEN_URL,
          user: settings.GITHUB_USER_URL,
          emails: settings.GITHUB_EMAILS_URL,
        },
      },
    }),
    ...(GOOGLE_CLIENT_ID !== undefined && {
      google: {
        clientId: GOOGLE_CLIENT_ID,
        clientSecret: GOOGLE_CLIENT_SECRET as string,
        endpoints: {
          authorization: settings.GOOGLE_AUTHORIZATION_URL,
          token: settings.GOOGLE_TOKEN_URL,
          userinfo: settings.GOOGLE_USERINFO_URL,
        },
      },
    }),
    ...(oidc && { oidc }),
  };
}

/** Without TLS an attacker on the network could impersonate the provider and assert any email address. */
function insecureEndpoints(settings: ProviderSettings): string[] {
  if (settings.ALLOW_INSECURE_PROVIDERS) return [];
  return (Object.keys(endpointSettings) as (keyof typeof endpointSettings)[])
    .filter((name) => !settings[name].startsWith('https:'))
    .map((name) => `${name} is not valid: it should be ${endpointSettings[name].description}`);
}

function incompleteClients(settings: ProviderSettings): string[] {
  return (['GITHUB', 'GOOGLE'] as const).flatMap((provider) => {
    const id = `${provider}_CLIENT_ID` as const;
    const secret = `${provider}_CLIENT_SECRET` as const;
    if ((settings[id] === undefined) === (settings[secret] === undefined)) return [];
    const missing = settings[id] === undefined ? id : secret;
    return [`${missing} is missing: it should be ${providerSettings[missing].description}`];
  });
}
