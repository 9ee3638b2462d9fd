import { ConfigurationError, describeSetting, setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { normalizeDomain } from '../tenants/email-address.ts';

/** Domains separated by commas, in lower case and IDNA ASCII form. */
const domainList = () =>
  z.string().transform((text, context) => {
    const domains = text.split(',').map((domain) => normalizeDomain(domain.trim()));
    if (domains.every((domain) => domain !== null)) return domains;
    context.addIssue({ code: 'custom', message: 'not a list of domains' });
    return z.NEVER;
  });

export const optionalText = (description: string) => z.string().optional().describe(description);

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
  OIDC_DOMAINS: domainList()
    .optional()
    .describe(
      'email domains, separated by commas, whose users the OpenID Connect provider may sign in, such as acme.example; ' +
        'required with OIDC_ISSUER, because the provider can sign in as any user of these domains',
    ),
  OIDC_TRUSTED_DOMAINS: domainList()
    .optional()
    .describe(
      'those of OIDC_DOMAINS, separated by commas, in which only the OpenID Connect provider assigns addresses: an ' +
        'address there counts as verified without email_verified (default none)',
    ),
  OIDC_PROMPT: setting
    .oneOf(['select_account', 'login', 'none'], 'select_account')
    .describe(
      'how the OpenID Connect provider lets users change the account: select_account, login for a provider without an ' +
        'account chooser, or none to send no prompt (default select_account)',
    ),
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
  /** Email domains whose users the provider may sign in. */
  domains: string[];
  /** Domains whose addresses count as verified without `email_verified`. */
  trustedDomains: string[];
  /** `prompt` of the authorization request. */
  prompt: 'select_account' | 'login' | 'none';
  title: string;
  /** Accepted values of `acr`; empty accepts any. */
  acrValues: string[];
  /** Whether the provider may use http. */
  allowInsecure: boolean;
}

/** @throws {ConfigurationError} for an incomplete client, an issuer without https, or one without domains */
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
    throw new ConfigurationError(`OIDC_ISSUER is not valid: it should be ${describe('OIDC_ISSUER')}`);
  }
  const { OIDC_DOMAINS: domains, OIDC_TRUSTED_DOMAINS: trustedDomains = [] } = settings;
  if (domains === undefined) {
    throw new ConfigurationError(`OIDC_DOMAINS is missing: it should be ${describe('OIDC_DOMAINS')}`);
  }
  if (!trustedDomains.every((domain) => domains.includes(domain))) {
    throw new ConfigurationError(
      `OIDC_TRUSTED_DOMAINS is not valid: it should be ${describe('OIDC_TRUSTED_DOMAINS')}`,
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    domains,
    trustedDomains,
    prompt: settings.OIDC_PROMPT,
    title: settings.OIDC_NAME,
    acrValues: settings.OIDC_ACR_VALUES,
    allowInsecure,
  };
}

function describe(name: keyof typeof oidcSettings): string {
  return describeSetting(oidcSettings[name]);
}
