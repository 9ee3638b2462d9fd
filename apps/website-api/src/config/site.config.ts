import { type Settings, type SettingValues, setting } from '@gpu-observatory/service-runtime/process';
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

/** URLs without a trailing slash. */
export class SiteConfig {
  readonly siteUrl: string;
  readonly docsUrl: string;
  readonly fleetUrl: string;
  readonly accountUrl: string;
  /** Without it, the home page has no link to sign in. */
  readonly signInUrl: string | undefined;
  /** Frontend URL for sign-ins of agents, see docs/signing-in.md#agents. */
  readonly agentFrontendUrl: string | undefined;
  readonly contactEmail: string;

  constructor(settings: SettingValues<typeof siteSettings>) {
    this.siteUrl = settings.SITE_URL;
    this.docsUrl = settings.DOCS_URL;
    this.fleetUrl = settings.FLEET_URL;
    this.accountUrl = settings.ACCOUNT_URL;
    this.signInUrl = settings.SIGN_IN_URL;
    this.agentFrontendUrl = settings.AGENT_FRONTEND_URL;
    this.contactEmail = settings.CONTACT_EMAIL;
  }
}
