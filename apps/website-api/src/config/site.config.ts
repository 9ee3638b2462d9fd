import { type Settings, setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

/** Where the parts of the service are reached from outside: what the site tells its readers. */
export const siteSettings = {
  SITE_URL: setting.httpUrl('the public address of this site'),
  DOCS_URL: setting.httpUrl('the address of the guide for people'),
  FLEET_URL: setting.httpUrl('the public address of the fleet data API'),
  ACCOUNT_URL: setting.httpUrl('the public address of the account service'),
  CONTACT_EMAIL: z.email().describe('the mail address that readers may write to, as name@host'),
} satisfies Settings;

/** Addresses without a trailing slash. A class, so that Nest can hand it to whoever asks for it. */
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
