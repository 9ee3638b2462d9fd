import { problemEnvelope } from '@gpu-observatory/error-envelopes';
import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { deliverOpenApi } from './negotiation/deliver-open-api.ts';
import { rememberAnswers } from './negotiation/remembered-answers.ts';
import { answerRefusedForms } from './pages/contact/refused-form.ts';
import { SitePages } from './pages/site-pages.ts';
import { PublishedContent } from './posts/published-content.ts';
import { readContactForms } from './contact/form-bodies.ts';
import { useSecurityHeaders } from './security/security-headers.ts';
import { siteMapForUnknownPaths } from './site-map/site-map.ts';
import { readConfig, type WebsiteConfig } from './config/website.config.ts';

/** What tells website-api from the other services. */
export const websiteApi: ServiceDefinition<WebsiteConfig> = {
  name: 'website-api',
  readConfig,
  module: (config, runtime) => AppModule.compose(config, runtime),
  envelope: problemEnvelope,
  unknownPathHandler: (config) => siteMapForUnknownPaths(config.site),
  corsOrigins: 'any',
  async extend(application, _config, runtime) {
    const content = application.get(PublishedContent);
    const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    rememberAnswers(server, runtime, () => content.looked);
    useSecurityHeaders(application);
    const pages = application.get(SitePages);
    readContactForms(server);
    answerRefusedForms(server, pages);
    deliverOpenApi(application, server, websiteApi.openApi);
    server.decorate('knownPages', () => pages.all(content.lastKnown));
    // The first reader need not wait for it; while the database is away, there is nothing to read yet.
    content.current().catch(() => undefined);
  },
  openApi: {
    title: 'GPU Observatory website API',
    description: 'Public content of the GPU Observatory site for people and AI agents.',
    version: '1.0.0',
    bearer: false,
  },
};
