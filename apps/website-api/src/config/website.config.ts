import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
} from '@gpu-observatory/service-runtime/process';
import { type ContactConfig, contactConfig, contactSettings } from './contact.config.ts';
import { type SiteConfig, siteConfig, siteSettings } from './site.config.ts';

/** Environment variables of website-api. */
export const websiteSettings = { ...serviceSettings, ...siteSettings, ...contactSettings };

/** Injectable, so it is a class. */
export abstract class WebsiteConfig {
  abstract readonly service: ServiceConfig;
  abstract readonly site: SiteConfig;
  abstract readonly contact: ContactConfig;
}

/** @throws {ConfigurationError} listing each missing or invalid variable */
export function readConfig(environment: Environment): WebsiteConfig {
  const settings = readSettings(websiteSettings, environment);
  return {
    service: serviceConfig(settings),
    site: siteConfig(settings),
    contact: contactConfig(settings),
  };
}
