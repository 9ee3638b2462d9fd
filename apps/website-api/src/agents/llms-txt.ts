import type { SiteConfig } from '../config/site.config.ts';
import { escapeMarkdown } from '../content/markdown.ts';
import { postPath } from '../posts/post-paths.ts';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';

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

function research({ posts, recentPosts }: ContentSnapshot, siteUrl: string): string {
  if (posts.length === 0) return '';
  const links = recentPosts.map(
    ({ slug, title, summary }) =>
      `- [${escapeMarkdown(title)}](${siteUrl}${postPath(slug)}.md): ${escapeMarkdown(summary)}`,
  );
  if (posts.length > recentPosts.length)
    links.push(`- [All ${posts.length} posts](${siteUrl}/blog.md): the complete list, in pages`);
  return `\n## Research\n\n${links.join('\n')}\n`;
}
