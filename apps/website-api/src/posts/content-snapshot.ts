import type { Representation } from '@gpu-observatory/service-runtime';
import { representationCache } from '../negotiation/representation-cache.ts';
import type { TermKind } from './post-paths.ts';
import type { PublishedPost } from './posts.queries.ts';
import type { TermRow } from './term.entity.ts';

/** A category or tag with its published posts. */
export interface Term extends TermRow {
  posts: PublishedPost[];
}

/** Exceeds the size of any real site. Bounds memory under requests with random queries. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** Bounds the size of the feed. */
export const MAX_RECENT_POSTS = 50;

/** Published content at one point in time, and a cache of the representations rendered from it. */
export class ContentSnapshot {
  /** Time from which this process serves the content: it follows each change, also of posts dated in the past. */
  readonly loadedAt = new Date();
  readonly categories: Term[];
  readonly tags: Term[];
  private readonly bySlug: ReadonlyMap<string, PublishedPost>;
  private readonly byFormerPath: ReadonlyMap<string, PublishedPost>;
  private readonly representations = representationCache(MAX_CACHED_BYTES);

  /** @param posts newest first */
  constructor(readonly posts: PublishedPost[]) {
    this.bySlug = new Map(posts.map((post) => [post.slug, post]));
    this.byFormerPath = new Map(
      posts.toReversed().flatMap((post) => post.former_paths.map((path) => [path, post])),
    );
    this.categories = groupByTerm(posts, ({ category }) => (category ? [category] : []));
    this.tags = groupByTerm(posts, ({ tags }) => tags);
  }

  /** The newest posts, newest first. */
  get recentPosts(): PublishedPost[] {
    return this.posts.slice(0, MAX_RECENT_POSTS);
  }

  post(slug: string): PublishedPost | undefined {
    return this.bySlug.get(slug);
  }

  /** @param path in comparable form */
  postAtFormerPath(path: string): PublishedPost | undefined {
    return this.byFormerPath.get(path);
  }

  term(kind: TermKind, slug: string): Term | undefined {
    return (kind === 'category' ? this.categories : this.tags).find((term) => term.slug === slug);
  }

  /** Returns the representation cached under a key, or creates and caches it. */
  representation(key: string, create: () => Representation): Representation {
    const cached = this.representations.get(key);
    if (cached) return cached;
    const created = create();
    this.representations.set(key, created);
    return created;
  }
}

/** Returns the time of the latest update of any of the posts. */
export function latestUpdate(posts: PublishedPost[]): Date | undefined {
  return posts
    .map((post) => post.updated_at)
    .reduce<Date | undefined>((a, b) => (a && a > b ? a : b), undefined);
}

/** Groups posts by category or tag, ordered by slug. */
function groupByTerm(posts: PublishedPost[], termsOf: (post: PublishedPost) => TermRow[]): Term[] {
  const terms = new Map<string, Term>();
  for (const post of posts) {
    for (const { slug, name } of termsOf(post)) {
      const term = terms.get(slug) ?? { slug, name, posts: [] };
      terms.set(slug, term);
      term.posts.push(post);
    }
  }
  return [...terms.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}
