import {
  type Environment,
  readSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
} from '@gpu-observatory/service-runtime';
import { type SiteConfig, siteConfig, siteSettings } from './site.config.ts';

/** Every variable that website-api reads. */
export const websiteSettings = { ...serviceSettings, ...siteSettings };

export interface WebsiteConfig {
  service: ServiceConfig;
  site: SiteConfig;
}

/** @throws {ConfigurationError} naming each variable at fault */
export function readConfig(environment: Environment): WebsiteConfig {
  const settings = readSettings(websiteSettings, environment);
  return { service: serviceConfig(settings), site: siteConfig(settings) };
}
