import type { SiteConfig } from '../config/site.config.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';

/** The curated index for agents in the form of llmstxt.org: a title, a summary, context, then sections of links. */
export function llmsTxt(config: SiteConfig): string {
  const { name, description, when_to_use, contact } = siteIdentity(config);
  return `# ${name}

> ${description}

When to use it:

${when_to_use.map((use) => `- ${use}`).join('\n')}

Questions: ${contact.email}

${resourcesAsMarkdown(siteResources(config))}`;
}
