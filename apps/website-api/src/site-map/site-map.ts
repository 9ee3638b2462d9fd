import type { UnknownPathAnswer } from '@gpu-observatory/error-envelopes';
import type { SiteConfig } from '../config/site.config.ts';
import { deliver, VARY_OF_PAGES } from '../negotiation/deliver.ts';
import { Representation } from '../negotiation/representation.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';

/**
 * What answers every path and method that does not exist: a real 404 whose body is a short markdown site map
 * (contract, section 4.6), so that a lost reader, an agent above all, finds the way without another guess.
 */
export function siteMapForUnknownPaths(config: SiteConfig): UnknownPathAnswer {
  const siteMap = new Representation('text/markdown; charset=utf-8', siteMapMarkdown(config));
  return (request, reply) => deliver(request, reply, siteMap, { status: 404, vary: VARY_OF_PAGES });
}

function siteMapMarkdown(config: SiteConfig): string {
  const { name, description } = siteIdentity(config);
  return `# Not found

There is nothing at this address, or it does not take this method. This is ${name}. ${description}

${resourcesAsMarkdown(siteResources(config))}`;
}
