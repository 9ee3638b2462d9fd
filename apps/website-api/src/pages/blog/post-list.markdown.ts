import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { postPath, type TermKind, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { isoDate } from '../dates.ts';
import { escapeMarkdown } from '../../content/markdown.ts';
import { indexLink } from '../index-link.ts';
import { rankTerms } from './blog-content.ts';
import { byYear, type ListingPage, titleOf } from './listing-pages.ts';

/** Renders one page of a list of posts as markdown. */
export function postListMarkdown(
  page: ListingPage,
  snapshot: ContentSnapshot,
  { url }: SiteIdentity,
): string {
  const { lead, number, count, posts, isBlog } = page;
  const years = byYear(posts).map(
    (year) => `## ${year.year}\n\n${year.posts.map((post) => entry(post, url)).join('\n')}`,
  );
  const sections = [
    `# ${escapeMarkdown(titleOf(page))}\n`,
    `${indexLink({ url })}\n`,
    number === 1 ? `${lead}\n` : `Page ${number} of ${count}.\n`,
    ...(posts.length === 0 ? ['No posts have been published yet.\n'] : years),
    ...pageLinks(page, url),
    ...(isBlog && number === 1 ? termLists(snapshot, url) : []),
    ...(isBlog ? [] : [`[All posts](${url}/blog.md)\n`]),
  ];
  return sections.join('\n');
}

function entry(post: PublishedPost, url: string): string {
  const metadata = [
    isoDate(post.published_at),
    ...(post.category ? [escapeMarkdown(post.category.name)] : []),
    escapeMarkdown(post.author),
    `${post.reading_minutes} min read`,
    ...(post.featured ? ['featured'] : []),
  ];
  return `### [${escapeMarkdown(post.title)}](${url}${postPath(post.slug)}.md)\n\n${metadata.join(' · ')}\n\n${escapeMarkdown(post.summary)}\n`;
}

function pageLinks({ number, count, previousPath, nextPath }: ListingPage, url: string): string[] {
  const links = [
    ...(previousPath === undefined ? [] : [`[Newer posts](${url}${previousPath}.md)`]),
    ...(nextPath === undefined ? [] : [`[Older posts](${url}${nextPath}.md)`]),
  ];
  return links.length === 0 ? [] : [`---\n\nPage ${number} of ${count}: ${links.join(' · ')}\n`];
}

function termLists({ categories, tags }: ContentSnapshot, url: string): string[] {
  const list = (heading: string, kind: TermKind, terms: Term[]) => {
    if (terms.length === 0) return [];
    const { shown, more } = rankTerms(terms);
    const links = [...shown, ...more].map(
      ({ slug, name, posts }) =>
        `- [${escapeMarkdown(name)}](${url}${termPath(kind, slug)}.md) (${posts.length})`,
    );
    return [`## ${heading}\n`, `${links.join('\n')}\n`];
  };
  return [...list('Categories', 'category', categories), ...list('Tags', 'tag', tags)];
}
