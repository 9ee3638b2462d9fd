import { type SettingValues, setting } from '@gpu-observatory/service-runtime/process';
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
};

export type SiteConfig = ReturnType<typeof siteConfig>;

/** URLs have no trailing slash. */
export function siteConfig(settings: SettingValues<typeof siteSettings>) {
  return {
    siteUrl: settings.SITE_URL,
    docsUrl: settings.DOCS_URL,
    fleetUrl: settings.FLEET_URL,
    accountUrl: settings.ACCOUNT_URL,
    /** Without it, the home page has no link to sign in. */
    signInUrl: settings.SIGN_IN_URL,
    /** Frontend URL for sign-ins of agents, see docs/signing-in.md#agents. */
    agentFrontendUrl: settings.AGENT_FRONTEND_URL,
    contactEmail: settings.CONTACT_EMAIL,
  };
}
