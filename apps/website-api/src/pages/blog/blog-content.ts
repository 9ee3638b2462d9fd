import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { categoryPath, tagPath } from '../../posts/post-paths.ts';
import type { PostRow } from '../../posts/posts.queries.ts';

/** A page that lists all posts, or the posts of a category or tag. */
export interface PostListing {
  path: string;
  title: string;
  lead: string;
  posts: PostRow[];
}

export interface TermLink {
  name: string;
  path: string;
}

export const BLOG_LEAD =
  'Field notes and research on operating GPU fleets and securing the AI workloads on them: hardware faults, attacks, ' +
  'and how to tell them apart.';

export function blogListing({ posts }: ContentSnapshot): PostListing {
  return { path: '/blog', title: 'Research', lead: BLOG_LEAD, posts };
}

export function termListing(kind: 'category' | 'tag', { slug, name, posts }: Term): PostListing {
  const count = `${posts.length} ${posts.length === 1 ? 'post' : 'posts'}`;
  return kind === 'category'
    ? { path: categoryPath(slug), title: name, lead: `${count} in this category.`, posts }
    : { path: tagPath(slug), title: `#${name}`, lead: `${count} with this tag.`, posts };
}

/** Returns the category and tags of a post with display names and page paths. */
export function termsOf(
  post: PostRow,
  snapshot: ContentSnapshot,
): { category: TermLink | undefined; tags: TermLink[] } {
  const category = snapshot.category(post.category_slug);
  return {
    category: category && { name: category.name, path: categoryPath(category.slug) },
    tags: post.tag_slugs.flatMap((slug) => {
      const tag = snapshot.tag(slug);
      return tag ? [{ name: tag.name, path: tagPath(slug) }] : [];
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

export const wasUpdated = ({ published_at: publishedAt, updated_at: updatedAt }: PostRow): boolean =>
  isoDate(publishedAt) !== isoDate(updatedAt);
