import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { type TermKind, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';
import { isoDate } from '../dates.ts';

/** All posts, or the posts of a category or tag, divided into pages. */
export interface PostListing {
  /** Path of the first page. */
  path: string;
  title: string;
  lead: string;
  /** Newest first. */
  posts: PublishedPost[];
}

export const BLOG_PATH = '/blog';
/** Number of categories or tags that the blog shows before the rest, which readers must open. */
const MAX_TERMS_SHOWN = 24;
const COLLATOR = new Intl.Collator('en');

export const BLOG_LEAD =
  'Field notes and research on operating GPU fleets and securing the AI workloads on them: hardware faults, attacks, ' +
  'and how to tell them apart.';

export function blogListing({ posts }: ContentSnapshot): PostListing {
  return { path: BLOG_PATH, title: 'Research', lead: BLOG_LEAD, posts };
}

export function termListing(kind: TermKind, { slug, name, posts }: Term): PostListing {
  const count = `${posts.length} ${posts.length === 1 ? 'post' : 'posts'}`;
  const path = termPath(kind, slug);
  return kind === 'category'
    ? { path, title: name, lead: `${count} in this category.`, posts }
    : { path, title: `#${name}`, lead: `${count} with this tag.`, posts };
}

/**
 * Orders categories or tags by number of posts. If there are too many, shows those with more posts than the first one
 * that does not fit, so terms with equal numbers stay together.
 */
export function rankTerms(terms: Term[]): { shown: Term[]; more: Term[] } {
  const ranked = terms.toSorted(
    (a, b) => b.posts.length - a.posts.length || COLLATOR.compare(a.name, b.name),
  );
  const threshold = ranked[MAX_TERMS_SHOWN]?.posts.length ?? 0;
  const isShown = ({ posts }: Term) => posts.length > threshold;
  return { shown: ranked.filter(isShown), more: ranked.filter((term) => !isShown(term)) };
}

export const wasUpdated = ({ published_at: publishedAt, updated_at: updatedAt }: PublishedPost): boolean =>
  isoDate(publishedAt) !== isoDate(updatedAt);
