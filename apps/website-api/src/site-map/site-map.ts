import type { FastifyRequest } from 'fastify';
import type { UnknownPathHandler } from '@gpu-observatory/error-envelopes';
import type { SiteConfig } from '../config/site.config.ts';
import { deliver, VARY_OF_PAGES } from '../negotiation/deliver.ts';
import { Representation } from '../negotiation/representation.ts';
import { literalText } from '../pages/literal-text.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';
import { type KnownPage, nearestPages } from './nearest-pages.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every page of the site as it was last read, for what is answered outside of every controller. */
    knownPages?: () => KnownPage[];
  }
}

/**
 * What answers every path and method that does not exist: a real 404 whose body is a short markdown site map
 * (contract, section 4.6), so that a lost reader, an agent above all, finds the way without another guess. It begins
 * with the pages that are most like what was asked for; nothing is read from the database for it.
 */
export function siteMapForUnknownPaths(config: SiteConfig): UnknownPathHandler {
  const plain = new Representation('text/markdown; charset=utf-8', siteMapMarkdown(config, []));
  return (request, reply) => {
    const nearest = nearestPages(pathOf(request), request.server.knownPages?.() ?? []);
    const siteMap =
      nearest.length === 0 ? plain : new Representation(plain.contentType, siteMapMarkdown(config, nearest));
    void reply.header('link', '</llms.txt>; rel="describedby"; type="text/plain"');
    deliver(request, reply, siteMap, { status: 404, vary: VARY_OF_PAGES });
  };
}

const pathOf = ({ url }: FastifyRequest) => url.split(/[?#]/, 1)[0] ?? '';

function siteMapMarkdown(config: SiteConfig, nearest: KnownPage[]): string {
  const { name, description, url } = siteIdentity(config);
  const meant = nearest.map(({ title, path }) => `- [${literalText(title)}](${url}${path})\n`);
  const suggestions = nearest.length === 0 ? '' : `## Perhaps you meant\n\n${meant.join('')}\n`;
  return `# Not found

There is nothing at this address, or it does not take this method. This is ${name}. ${description}

${suggestions}${resourcesAsMarkdown(siteResources(config))}`;
}
