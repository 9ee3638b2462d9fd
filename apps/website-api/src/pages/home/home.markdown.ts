import { postPath } from '../../posts/post-paths.ts';
import { isoDate } from '../dates.ts';
import { indexLink } from '../index-link.ts';
import { escapeMarkdown } from '../../content/markdown.ts';
import type { HomeContent } from './home-content.ts';

/** Renders the home page as markdown. */
export function homeMarkdown(content: HomeContent): string {
  const {
    identity,
    headline,
    healthStates,
    newestPosts,
    services,
    signInUrl,
    signIn,
    firstCall,
    machineResources,
  } = content;
  const { url } = identity;
  const newest = newestPosts.map(
    (post) =>
      `[${escapeMarkdown(post.title)}](${url}${postPath(post.slug)}.md), ${isoDate(post.published_at)}, ` +
      `${post.reading_minutes} min read: ${escapeMarkdown(post.summary)}`,
  );
  const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n');
  return `# ${identity.name}

${indexLink(identity)}

**${headline}**

${identity.description}

${signInUrl === undefined ? '' : `[Sign in](${signInUrl})\n\n`}## One health state per GPU, with evidence

${list(healthStates.map(({ health, meaning }) => `**${health}**: ${meaning}`))}

${newest.length === 0 ? '' : `## Newest research\n\n${list(newest)}\n- [All research](${url}/blog.md)\n\n`}## When to use it

${list(identity.when_to_use)}

## Three hostnames

| Service | Base URL | Purpose | Access | Documentation |
|---|---|---|---|---|
${services
  .map(
    ({ name, apiUrl, purpose, access, openApiUrl, referenceUrl }) =>
      `| ${name} | ${apiUrl} | ${purpose} | ${access} | [OpenAPI](${openApiUrl}), [reference](${referenceUrl}) |`,
  )
  .join('\n')}

## First call

${signIn}

\`\`\`sh
${firstCall}
\`\`\`

## For agents and scripts

${list(machineResources.map(({ title, url, description }) => `[${title}](${url}): ${description}`))}

## Guide and contact

- Guide: ${identity.docs_url}
- Contact: ${identity.contact.email}
`;
}
