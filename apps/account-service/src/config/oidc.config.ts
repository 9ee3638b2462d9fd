import { ConfigurationError } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

const optionalText = (description: string) => z.string().optional().describe(description);

export const oidcSettings = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'issuer of an OpenID Connect provider, an https URL with /.well-known/openid-configuration below it, or http for ' +
        'development with ALLOW_INSECURE_PROVIDERS=true; unset disables this sign-in',
    ),
  OIDC_CLIENT_ID: optionalText('client id at the OpenID Connect provider'),
  OIDC_CLIENT_SECRET: optionalText('client secret at the OpenID Connect provider'),
  OIDC_NAME: z
    .string()
    .max(100)
    .default('Single sign-on')
    .describe('name of the OpenID Connect provider on sign-in buttons (default Single sign-on)'),
  OIDC_ACR_VALUES: z
    .string()
    .default('')
    .transform((text) => text.split(' ').filter((value) => value !== ''))
    .describe(
      'authentication context classes (acr) of which the OpenID Connect provider must assert one, separated by spaces ' +
        '(default none)',
    ),
};

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  title: string;
  /** Accepted values of `acr`; empty accepts any. */
  acrValues: string[];
  /** Whether the provider may use http. */
  allowInsecure: boolean;
}

/** @throws {ConfigurationError} for an incomplete client or an issuer without https */
export function oidcConfig(
  settings: z.infer<z.ZodObject<typeof oidcSettings>>,
  allowInsecure: boolean,
): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigurationError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together');
  }
  if (!allowInsecure && !issuer.startsWith('https:')) {
    throw new ConfigurationError(
      `OIDC_ISSUER is not valid: it should be ${oidcSettings.OIDC_ISSUER.description}`,
    );
  }
  const { OIDC_NAME: title, OIDC_ACR_VALUES: acrValues } = settings;
  return { issuer, clientId, clientSecret, title, acrValues, allowInsecure };
}
