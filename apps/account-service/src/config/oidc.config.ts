import { setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { normalizeDomain } from '../tenants/email-address.ts';
import { settingFault, setTogether } from './setting-rules.ts';

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

export type OidcConfig = NonNullable<ReturnType<typeof oidcConfig>>;

/** @throws {ConfigurationError} for an incomplete client, an issuer without https, or one without domains */
export function oidcConfig(
  settings: z.infer<z.ZodObject<typeof oidcSettings>>,
  /** Whether the provider may use http. */
  allowInsecure: boolean,
) {
  const client = setTogether(settings, 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  if (!client) return undefined;
  const { OIDC_DOMAINS: domains, OIDC_TRUSTED_DOMAINS: trustedDomains = [] } = settings;
  if (!allowInsecure && !client.OIDC_ISSUER.startsWith('https:'))
    throw settingFault(oidcSettings, 'OIDC_ISSUER', 'is not valid');
  if (domains === undefined) throw settingFault(oidcSettings, 'OIDC_DOMAINS', 'is missing');
  if (!trustedDomains.every((domain) => domains.includes(domain)))
    throw settingFault(oidcSettings, 'OIDC_TRUSTED_DOMAINS', 'is not valid');
  return {
    issuer: client.OIDC_ISSUER,
    clientId: client.OIDC_CLIENT_ID,
    clientSecret: client.OIDC_CLIENT_SECRET,
    /** Email domains whose users the provider may sign in. */
    domains,
    /** Domains whose addresses count as verified without `email_verified`. */
    trustedDomains,
    /** `prompt` of the authorization request. */
    prompt: settings.OIDC_PROMPT,
    title: settings.OIDC_NAME,
    /** Accepted values of `acr`; empty accepts any. */
    acrValues: settings.OIDC_ACR_VALUES,
    allowInsecure,
  };
}
