import { setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { oidcConfig, oidcSettings, optionalText } from './oidc.config.ts';
import { settingFault, setTogether } from './setting-rules.ts';

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

export type ProvidersConfig = ReturnType<typeof providersConfig>;

/**
 * Without a client, users sign in with passwords only.
 *
 * @throws {ConfigurationError} for an incomplete client or an endpoint without https
 */
export function providersConfig(settings: z.infer<z.ZodObject<typeof providerSettings>>) {
  const allowInsecure = settings.ALLOW_INSECURE_PROVIDERS;
  // Without TLS an attacker on the network could impersonate the provider and assert any email address.
  for (const name of Object.keys(endpointSettings) as (keyof typeof endpointSettings)[]) {
    if (!allowInsecure && !settings[name].startsWith('https:'))
      throw settingFault(endpointSettings, name, 'is not valid');
  }
  const github = setTogether(settings, 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET');
  const google = setTogether(settings, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET');
  return {
    /** Options of passport-github2. */
    github: github && {
      clientID: github.GITHUB_CLIENT_ID,
      clientSecret: github.GITHUB_CLIENT_SECRET,
      authorizationURL: settings.GITHUB_AUTHORIZATION_URL,
      tokenURL: settings.GITHUB_TOKEN_URL,
      userProfileURL: settings.GITHUB_USER_URL,
      userEmailURL: settings.GITHUB_EMAILS_URL,
    },
    /** Options of passport-google-oauth20. */
    google: google && {
      clientID: google.GOOGLE_CLIENT_ID,
      clientSecret: google.GOOGLE_CLIENT_SECRET,
      authorizationURL: settings.GOOGLE_AUTHORIZATION_URL,
      tokenURL: settings.GOOGLE_TOKEN_URL,
      userProfileURL: settings.GOOGLE_USERINFO_URL,
    },
    oidc: oidcConfig(settings, allowInsecure),
  };
}
