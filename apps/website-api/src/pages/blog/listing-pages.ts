import type { PublishedPost } from '../../posts/posts.queries.ts';
import { BLOG_PATH, type PostListing } from './blog-content.ts';

const POSTS_PER_PAGE = 20;

/** One page of a listing, with its own path and posts. */
export interface ListingPage extends PostListing {
  /** From 1. */
  number: number;
  /** Number of pages of the listing. */
  count: number;
  /** Path of the page with newer posts. */
  previousPath: string | undefined;
  /** Path of the page with older posts. */
  nextPath: string | undefined;
  /** Whether this listing has all posts. */
  isBlog: boolean;
}

/** Divides a listing into pages. A listing without posts has one page. */
export function listingPages(listing: PostListing): ListingPage[] {
  const { path, posts } = listing;
  const count = Math.max(1, Math.ceil(posts.length / POSTS_PER_PAGE));
  const pathOf = (number: number) => (number === 1 ? path : `${path}/page/${number}`);
  return Array.from({ length: count }, (_, index) => ({
    ...listing,
    path: pathOf(index + 1),
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
