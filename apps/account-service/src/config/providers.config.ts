import { ConfigurationError, setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

const endpoint = (what: string, defaultValue: string) =>
  z
    .url({ protocol: /^https?$/ })
    .prefault(defaultValue)
    .describe(
      `${what}, an https URL, or http on a developer's machine with ALLOW_INSECURE_PROVIDERS=true (default ${defaultValue})`,
    );

const endpointSettings = {
  GITHUB_AUTHORIZATION_URL: endpoint('where browsers are sent', 'https://github.com/login/oauth/authorize'),
  GITHUB_TOKEN_URL: endpoint('where codes are exchanged', 'https://github.com/login/oauth/access_token'),
  GITHUB_USER_URL: endpoint("the signed-in person's account", 'https://api.github.com/user'),
  GITHUB_EMAILS_URL: endpoint(
    "the signed-in person's e-mail addresses",
    'https://api.github.com/user/emails',
  ),
  GOOGLE_AUTHORIZATION_URL: endpoint(
    'where browsers are sent',
    'https://accounts.google.com/o/oauth2/v2/auth',
  ),
  GOOGLE_TOKEN_URL: endpoint('where codes are exchanged', 'https://oauth2.googleapis.com/token'),
  GOOGLE_USERINFO_URL: endpoint(
    "the signed-in person's claims, ending in /userinfo",
    'https://www.googleapis.com/oauth2/v3/userinfo',
  ),
};

const optionalText = (should: string) => z.string().optional().describe(should);

export const providerSettings = {
  GITHUB_CLIENT_ID: optionalText('the OAuth app at GitHub; without it GitHub is not offered'),
  GITHUB_CLIENT_SECRET: optionalText('the secret of that client'),
  GOOGLE_CLIENT_ID: optionalText('the OAuth client at Google; without it Google is not offered'),
  GOOGLE_CLIENT_SECRET: optionalText('the secret of that client'),
  ...endpointSettings,
  ALLOW_INSECURE_PROVIDERS: setting.flag('http endpoints, for a provider on the same machine', 'false'),
};

type ProviderSettings = z.infer<z.ZodObject<typeof providerSettings>>;

/** An OAuth client at a provider and where it finds its endpoints. */
export interface ProviderConfig<Endpoints extends string> {
  clientId: string;
  clientSecret: string;
  endpoints: Record<Endpoints, string>;
}

export interface ProvidersConfig {
  github?: ProviderConfig<'authorization' | 'token' | 'user' | 'emails'>;
  google?: ProviderConfig<'authorization' | 'token' | 'userinfo'>;
}

/** @throws {ConfigurationError} for half a client, none at all, or an endpoint that is not https */
export function providersConfig(settings: ProviderSettings): ProvidersConfig {
  const faults = [...insecureEndpoints(settings), ...halfClients(settings)];
  if (faults.length > 0) throw new ConfigurationError(faults.join('\n'));
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
  };
}

/** A provider without TLS could be anybody, and would be believed about every e-mail. */
function insecureEndpoints(settings: ProviderSettings): string[] {
  if (settings.ALLOW_INSECURE_PROVIDERS) return [];
  return (Object.keys(endpointSettings) as (keyof typeof endpointSettings)[])
    .filter((name) => !settings[name].startsWith('https:'))
    .map((name) => `${name} is not valid: it should be ${endpointSettings[name].description}`);
}

function halfClients(settings: ProviderSettings): string[] {
  const faults = (['GITHUB', 'GOOGLE'] as const).flatMap((provider) => {
    const id = `${provider}_CLIENT_ID` as const;
    const secret = `${provider}_CLIENT_SECRET` as const;
    if ((settings[id] === undefined) === (settings[secret] === undefined)) return [];
    const missing = settings[id] === undefined ? id : secret;
    return [`${missing} is missing: it should be ${providerSettings[missing].description}`];
  });
  const none = settings.GITHUB_CLIENT_ID === undefined && settings.GOOGLE_CLIENT_ID === undefined;
  return none && faults.length === 0
    ? ['GITHUB_CLIENT_ID or GOOGLE_CLIENT_ID is missing: people need one provider at least to sign in with']
    : faults;
}
