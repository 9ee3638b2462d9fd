import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { postPath } from '../../posts/post-paths.ts';
import type { PostRow } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { isoDate, type PostListing, type TermLink, termsOf, wasUpdated } from './blog-content.ts';

/** Renders a list of posts as markdown. */
export function postListMarkdown(
  listing: PostListing,
  snapshot: ContentSnapshot,
  { url }: SiteIdentity,
): string {
  const { path, title, lead, posts } = listing;
  const entries = posts.map((post) => {
    const { category } = termsOf(post, snapshot);
    const metadata = [
      isoDate(post.published_at),
      ...(category ? [escapeMarkdown(category.name)] : []),
      escapeMarkdown(post.author),
      `${post.reading_minutes} min read`,
      ...(post.featured ? ['featured'] : []),
    ];
    return `## [${escapeMarkdown(post.title)}](${url}${postPath(post.slug)}.md)\n\n${metadata.join(' · ')}\n\n${escapeMarkdown(post.summary)}\n`;
  });
  const all = posts.length === 0 ? ['No posts have been published yet.\n'] : entries;
  const rest = path === '/blog' ? termLists(snapshot, url) : [`[All posts](${url}/blog.md)\n`];
  return [`# ${escapeMarkdown(title)}\n`, `${lead}\n`, ...all, ...rest].join('\n');
}

/** Renders a post as markdown: title, summary, metadata and body. */
export function postMarkdown(post: PostRow, snapshot: ContentSnapshot, identity: SiteIdentity): string {
  const { category, tags } = termsOf(post, snapshot);
  const link = ({ name, path }: TermLink) => `[${escapeMarkdown(name)}](${identity.url}${path}.md)`;
  const facts = [
    `Author: ${escapeMarkdown(post.author)}`,
    `Published: ${isoDate(post.published_at)}`,
    ...(wasUpdated(post) ? [`Updated: ${isoDate(post.updated_at)}`] : []),
    ...(category ? [`Category: ${link(category)}`] : []),
    ...(tags.length > 0 ? [`Tags: ${tags.map(link).join(', ')}`] : []),
    `Reading time: ${post.reading_minutes} min`,
    `Page: ${identity.url}${postPath(post.slug)}`,
    ...(post.canonical_url === null ? [] : [`First published at: ${post.canonical_url}`]),
  ];
  return `# ${escapeMarkdown(post.title)}\n\n> ${escapeMarkdown(post.summary)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n\n${post.body}`;
}

function termLists({ categories, tags }: ContentSnapshot, url: string): string[] {
  const list = (heading: string, kind: 'category' | 'tag', all: typeof categories) =>
    all.length === 0
      ? []
      : [
          `## ${heading}\n`,
          `${all
            .map(
              ({ slug, name, posts }) =>
                `- [${escapeMarkdown(name)}](${url}/blog/${kind}/${encodeURIComponent(slug)}.md) (${posts.length})`,
            )
            .join('\n')}\n`,
        ];
  return [...list('Categories', 'category', categories), ...list('Tags', 'tag', tags)];
}
