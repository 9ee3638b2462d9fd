import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import { problemEnvelope } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { readConfig, type WebsiteConfig } from './config/website.config.ts';
import { NotFoundResponse } from './not-found/not-found-response.ts';
import { examples } from './openapi/examples.ts';
import { RejectedFormFilter } from './pages/contact/rejected-form.filter.ts';
import { SECTIONS } from './pages/layout.tsx';
import { useSecurityHeaders } from './security/security-headers.ts';
import { publicServices } from './site/services.ts';

/** The definition of website-api for the service runtime. */
export const websiteApi: ServiceDefinition<WebsiteConfig> = {
  name: 'website-api',
  writes: true,
  readConfig,
  module: (config, runtime) => AppModule.with(config, runtime),
  envelope: problemEnvelope,
  unknownPathHandler: (application) => {
    const response = application.get(NotFoundResponse);
    return (request, reply) => response.send(request, reply);
  },
  corsOrigins: 'any',
  async extend(application) {
    useSecurityHeaders(application);
    const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    application.get(NotFoundResponse).coverPathsWithNul(server);
    application.get(RejectedFormFilter).handleEarlyErrors(server);
  },
  reference: ({ site }) => ({
    publicUrl: site.siteUrl,
    homeUrl: '/',
    links: SECTIONS.map(({ name, path }) => ({ name, url: path })).concat(
      publicServices(site)
        .filter(({ url }) => url !== site.siteUrl)
        .map(({ name, referenceUrl }) => ({ name, url: referenceUrl })),
    ),
  }),
  openApi: {
    title: 'GPU Observatory website API',
    description: 'Public content of the GPU Observatory site for people and AI agents.',
    version: '0.1.0',
    credentials: { apiKeyHeader: 'x-api-key' },
    tags: {
      Posts: 'Published posts with their categories and tags.',
      Site: 'Name, description and contact of the site.',
      Contact: 'Messages to the operators.',
    },
    examples,
  },
};
