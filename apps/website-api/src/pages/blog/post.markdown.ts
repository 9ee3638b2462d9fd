import { postPath, type TermKind, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';
import type { TermRow } from '../../posts/term.entity.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { isoDate } from '../dates.ts';
import { escapeMarkdown } from '../../content/markdown.ts';
import { indexLink } from '../index-link.ts';
import { wasUpdated } from './blog-content.ts';

/** Renders a post as markdown: title, summary, metadata and body. */
export function postMarkdown(post: PublishedPost, identity: SiteIdentity): string {
  const { category, tags } = post;
  const link = (kind: TermKind, { slug, name }: TermRow) =>
    `[${escapeMarkdown(name)}](${identity.url}${termPath(kind, slug)}.md)`;
  const facts = [
    `Author: ${escapeMarkdown(post.author)}`,
    `Published: ${isoDate(post.published_at)}`,
    ...(wasUpdated(post) ? [`Updated: ${isoDate(post.updated_at)}`] : []),
    `Language: ${post.language}`,
    ...(category ? [`Category: ${link('category', category)}`] : []),
    ...(tags.length > 0 ? [`Tags: ${tags.map((tag) => link('tag', tag)).join(', ')}`] : []),
    `Reading time: ${post.reading_minutes} min`,
    `Page: ${identity.url}${postPath(post.slug)}`,
    ...(post.canonical_url === null ? [] : [`First published at: ${post.canonical_url}`]),
  ];
  return [
    `# ${escapeMarkdown(post.title)}`,
    indexLink(identity),
    `> ${escapeMarkdown(post.summary)}`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    post.body,
  ].join('\n\n');
}
