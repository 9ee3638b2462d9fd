import type { SiteConfig } from '../config/site.config.ts';
import { escapeMarkdown } from '../content/markdown.ts';
import { isoDate } from '../pages/dates.ts';
import { postPath } from '../posts/post-paths.ts';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';

/** Few, so that the index stays short. The list of all posts has their summaries. */
const LISTED_POSTS = 5;

/** Renders the index for agents in llmstxt.org format: title, summary, context, then sections of links. */
export function llmsTxt(config: SiteConfig, snapshot: ContentSnapshot): string {
  const { name, description, when_to_use, contact } = siteIdentity(config);
  return `# ${name}

> ${description}

When to use it:

${when_to_use.map((use) => `- ${use}`).join('\n')}

Questions: ${contact.email}

${resourcesAsMarkdown(siteResources(config))}${research(snapshot, config.siteUrl)}`;
}

function research({ posts }: ContentSnapshot, siteUrl: string): string {
  if (posts.length === 0) return '';
  const links = posts
    .slice(0, LISTED_POSTS)
    .map(
      ({ slug, title, published_at: publishedAt }) =>
        `- [${escapeMarkdown(title)}](${siteUrl}${postPath(slug)}.md): ${isoDate(publishedAt)}`,
    );
  return `\n## Newest posts\n\n${links.join('\n')}\n- [All posts](${siteUrl}/blog.md): with summaries, newest first\n`;
}
