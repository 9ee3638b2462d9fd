import { type Settings, setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

/** Public URLs and the mail address that the pages show. */
export const siteSettings = {
  SITE_URL: setting.httpUrl('the public URL of this site'),
  DOCS_URL: setting.httpUrl('the URL of the user guide'),
  FLEET_URL: setting.httpUrl('the public URL of the fleet data API'),
  ACCOUNT_URL: setting.httpUrl('the public URL of the account service'),
  CONTACT_EMAIL: z.email().describe('the public contact mail address, as name@host'),
} satisfies Settings;

/** URLs without a trailing slash. An abstract class, because Nest uses it as an injection token. */
export abstract class SiteConfig {
  abstract readonly siteUrl: string;
  abstract readonly docsUrl: string;
  abstract readonly fleetUrl: string;
  abstract readonly accountUrl: string;
  abstract readonly contactEmail: string;
}

export function siteConfig(settings: {
  SITE_URL: string;
  DOCS_URL: string;
  FLEET_URL: string;
  ACCOUNT_URL: string;
  CONTACT_EMAIL: string;
}): SiteConfig {
  return {
    siteUrl: settings.SITE_URL,
    docsUrl: settings.DOCS_URL,
    fleetUrl: settings.FLEET_URL,
    accountUrl: settings.ACCOUNT_URL,
    contactEmail: settings.CONTACT_EMAIL,
  };
}
