import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import { problemEnvelope } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { handleRejectedForms } from './pages/contact/rejected-form.ts';
import { SECTIONS } from './pages/layout.tsx';
import { SitePages } from './pages/site-pages.tsx';
import { postPath } from './posts/post-paths.ts';
import { PublishedContent } from './posts/published-content.ts';
import { parseContactForms } from './contact/contact-form-parser.ts';
import { useSecurityHeaders } from './security/security-headers.ts';
import { markdownNotFound } from './not-found/markdown-not-found.ts';
import { publicServices } from './site/services.ts';
import { examples } from './site/examples.ts';
import { readConfig, type WebsiteConfig } from './config/website.config.ts';

/** The definition of website-api for the service runtime. */
export const websiteApi: ServiceDefinition<WebsiteConfig> = {
  name: 'website-api',
  writes: true,
  readConfig,
  module: (config, runtime) => AppModule.compose(config, runtime),
  envelope: problemEnvelope,
  unknownPathHandler: (config) => markdownNotFound(config.site),
  corsOrigins: 'any',
  async extend(application) {
    const content = application.get(PublishedContent);
    const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    useSecurityHeaders(application);
    const pages = application.get(SitePages);
    parseContactForms(server);
    handleRejectedForms(server, pages);
    server.decorate('knownPages', () => pages.all(content.latest));
    server.decorate('pathOfMovedPost', (formerPath: string) => {
      const post = content.latest?.postAtFormerPath(formerPath);
      return post && postPath(post.slug);
    });
    // Loads the content before the first request. The first request retries if the database is unavailable.
    content.current().catch(() => undefined);
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
