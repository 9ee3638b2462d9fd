import { postPath } from '../../posts/post-paths.ts';
import { isoDate } from '../blog/blog-text.ts';
import { literalText } from '../literal-text.ts';
import type { HomeContent } from './home-content.ts';

/** The home page as markdown. */
export function homeMarkdown(content: HomeContent): string {
  const { identity, headline, healthStates, newestPosts, services, signIn, firstCall, forMachines } = content;
  const { url } = identity;
  const newest = newestPosts.map(
    (post) =>
      `[${literalText(post.title)}](${url}${postPath(post.slug)}.md), ${isoDate(post.published_at)}, ` +
      `${post.reading_minutes} min read: ${literalText(post.summary)}`,
  );
  const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n');
  return `# ${identity.name}

**${headline}**

${identity.description}

## Every GPU has one health, and the evidence for it

${list(healthStates.map(({ health, meaning }) => `**${health}**: ${meaning}`))}

${newest.length === 0 ? '' : `## Newest research\n\n${list(newest)}\n- [All research](${url}/blog.md)\n\n`}## When to use it

${list(identity.when_to_use)}

## Three hostnames

| Service | Base URL | What it is for | Access | Contract |
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

## For agents and machines

${list(forMachines.map(({ title, url, description }) => `[${title}](${url}): ${description}`))}

## People

- Guide: ${identity.docs_url}
- Contact: ${identity.contact.email}
`;
}
