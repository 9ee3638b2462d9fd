import { problemEnvelope } from '@gpu-observatory/error-envelopes';
import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import { AppModule } from './app.module.ts';
import { useSecurityHeaders } from './security/security-headers.ts';
import { siteMapForUnknownPaths } from './site-map/site-map.ts';
import { readConfig, type WebsiteConfig } from './config/website.config.ts';

/** What tells website-api from the other services. */
export const websiteApi: ServiceDefinition<WebsiteConfig> = {
  name: 'website-api',
  readConfig,
  module: (config, runtime) => AppModule.compose(config, runtime),
  envelope: problemEnvelope,
  unknownPath: (config) => siteMapForUnknownPaths(config.site),
  origins: 'any',
  extend: async (application) => useSecurityHeaders(application),
  openApi: {
    title: 'GPU Observatory website API',
    description: 'Public content of the GPU Observatory site for people and AI agents.',
    version: '1.0.0',
    bearer: false,
  },
};
