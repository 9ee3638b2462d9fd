import { type Settings, setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';

/** Public URLs and the email address that the pages show. */
export const siteSettings = {
  SITE_URL: setting.httpUrl('the public URL of this site'),
  DOCS_URL: setting.httpUrl('the URL of the user guide'),
  FLEET_URL: setting.httpUrl('the public URL of the fleet data API'),
  ACCOUNT_URL: setting.httpUrl('the public URL of the account service'),
  SIGN_IN_URL: setting
    .httpUrl('the URL behind "Sign in" on the home page, usually that of the console')
    .optional(),
  AGENT_FRONTEND_URL: setting
    .httpUrl(
      'an entry of FRONTEND_URLS of the account service at which agents receive sign-ins, see docs/website-api.md',
    )
    .optional(),
  CONTACT_EMAIL: z.email().describe('the public contact email address, as name@host'),
} satisfies Settings;

/** URLs without a trailing slash. An abstract class, because Nest uses it as an injection token. */
export abstract class SiteConfig {
  abstract readonly siteUrl: string;
  abstract readonly docsUrl: string;
  abstract readonly fleetUrl: string;
  abstract readonly accountUrl: string;
  /** Without it, the home page has no link to sign in. */
  abstract readonly signInUrl: string | undefined;
  /** Frontend URL for sign-ins of agents, see docs/signing-in.md#agents. */
  abstract readonly agentFrontendUrl: string | undefined;
  abstract readonly contactEmail: string;
}

export function siteConfig(settings: {
  SITE_URL: string;
  DOCS_URL: string;
  FLEET_URL: string;
  ACCOUNT_URL: string;
  SIGN_IN_URL?: string | undefined;
  AGENT_FRONTEND_URL?: string | undefined;
  CONTACT_EMAIL: string;
}): SiteConfig {
  return {
    siteUrl: settings.SITE_URL,
    docsUrl: settings.DOCS_URL,
    fleetUrl: settings.FLEET_URL,
    accountUrl: settings.ACCOUNT_URL,
    signInUrl: settings.SIGN_IN_URL,
    agentFrontendUrl: settings.AGENT_FRONTEND_URL,
    contactEmail: settings.CONTACT_EMAIL,
  };
}
