import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
} from '@gpu-observatory/service-runtime/process';
import { ContactConfig, contactSettings } from './contact.config.ts';
import { SiteConfig, siteSettings } from './site.config.ts';

/** Environment variables of website-api. */
export const websiteSettings = { ...serviceSettings, ...siteSettings, ...contactSettings };

export interface WebsiteConfig {
  service: ServiceConfig;
  site: SiteConfig;
  contact: ContactConfig;
}

/** @throws {ConfigurationError} listing each missing or invalid variable */
export function readConfig(environment: Environment): WebsiteConfig {
  const settings = readSettings(websiteSettings, environment);
  return {
    service: serviceConfig(settings),
    site: new SiteConfig(settings),
    contact: new ContactConfig(settings),
  };
}
