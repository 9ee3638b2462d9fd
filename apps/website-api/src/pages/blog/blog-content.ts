import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { type TermKind, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';

/** All posts, or the posts of a category or tag, divided into pages. */
export interface PostListing {
  /** Path of the first page. */
  path: string;
  title: string;
  lead: string;
  posts: PublishedPost[];
}

/** One page of a listing. */
export interface ListingPage {
  path: string;
  /** Title of the listing, without the number of the page. */
  title: string;
  lead: string;
  /** From 1. */
  number: number;
  /** Number of pages of the listing. */
  count: number;
  /** Posts on this page, newest first. */
  posts: PublishedPost[];
  /** Path of the page with newer posts. */
  previousPath: string | undefined;
  /** Path of the page with older posts. */
  nextPath: string | undefined;
  /** Whether this listing has all posts. */
  isBlog: boolean;
}

const POSTS_PER_PAGE = 20;
const BLOG_PATH = '/blog';
/** Number of categories or tags that the blog shows before the rest, which readers must open. */
const MAX_TERMS_SHOWN = 24;

export interface TermLink {
  name: string;
  path: string;
}

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

/** Divides a listing into pages. A listing without posts has one page. */
export function listingPages({ path, title, lead, posts }: PostListing): ListingPage[] {
  const count = Math.max(1, Math.ceil(posts.length / POSTS_PER_PAGE));
  const pathOf = (number: number) => (number === 1 ? path : `${path}/page/${number}`);
  return Array.from({ length: count }, (_, index) => ({
    path: pathOf(index + 1),
    title,
    lead,
    number: index + 1,
    count,
    posts: posts.slice(index * POSTS_PER_PAGE, (index + 1) * POSTS_PER_PAGE),
    previousPath: index === 0 ? undefined : pathOf(index),
    nextPath: index === count - 1 ? undefined : pathOf(index + 2),
    isBlog: path === BLOG_PATH,
  }));
}

/** Returns the title of a page, for example `Research, page 2`. */
export const titleOf = ({ title, number }: ListingPage): string =>
  number === 1 ? title : `${title}, page ${number}`;

/** Groups the posts of a page by year of publication (UTC), newest first. */
export function byYear(posts: PublishedPost[]): { year: number; posts: PublishedPost[] }[] {
  const years = Map.groupBy(posts, ({ published_at: publishedAt }) => publishedAt.getUTCFullYear());
  return [...years].map(([year, ofYear]) => ({ year, posts: ofYear }));
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

const COLLATOR = new Intl.Collator('en');

/** Returns the category and tags of a post with display names and page paths. */
export function termsOf(
  post: PublishedPost,
  snapshot: ContentSnapshot,
): { category: TermLink | undefined; tags: TermLink[] } {
  const category = snapshot.term('category', post.category_slug);
  return {
    category: category && { name: category.name, path: termPath('category', category.slug) },
    tags: post.tag_slugs.flatMap((slug) => {
      const tag = snapshot.term('tag', slug);
      return tag ? [{ name: tag.name, path: termPath('tag', slug) }] : [];
    }),
  };
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a date, for example 9 December 2024. */
export const longDate = (date: Date): string => DATE.format(date);

/** Formats a date, for example 2024-12-09. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

export const wasUpdated = ({ published_at: publishedAt, updated_at: updatedAt }: PublishedPost): boolean =>
  isoDate(publishedAt) !== isoDate(updatedAt);
