import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type EntityTarget, Raw } from 'typeorm';
import { withSiteUrl } from '../content/site-placeholder.ts';
import { repository } from '../database/repositories.ts';
import { Post } from './post.entity.ts';
import { PostTag } from './post-tag.entity.ts';
import type { TermRow } from './term.entity.ts';

/** A post whose publication time has passed, with the site's URL in its `body`. */
export interface PublishedPost extends Post {
  tag_slugs: string[];
}

/**
 * Returns a version that changes with each sync and each time a scheduled post becomes public. One statement, because both
 * numbers must be of the same time.
 */
export async function readContentVersion(queryable: Queryable): Promise<string> {
  const [row] = await queryable.query<{ revision: number; published: number }>({
    name: 'content-version',
    text: `
      SELECT revision, (SELECT count(*) FROM website.posts WHERE published_at <= now()) AS published
        FROM website.content_revision`,
  });
  return `${row?.revision}:${row?.published}`;
}

/** Returns the published posts, newest first. */
export async function readPublishedPosts(queryable: Queryable, siteUrl: string): Promise<PublishedPost[]> {
  const posts = await repository(queryable, Post).find({
    where: { published_at: Raw((publishedAt) => `${publishedAt} <= now()`) },
    order: { published_at: 'DESC', slug: 'ASC' },
  });
  const tags = await repository(queryable, PostTag).find({ order: { position: 'ASC' } });
  const tagsOf = Map.groupBy(tags, ({ post_slug: slug }) => slug);
  return posts.map((post) => ({
    ...post,
    body: withSiteUrl(post.body, siteUrl),
    tag_slugs: (tagsOf.get(post.slug) ?? []).map(({ tag_slug: slug }) => slug),
  }));
}

/** Returns all categories or tags, ordered by slug. */
export async function readTerms(queryable: Queryable, kind: EntityTarget<TermRow>): Promise<TermRow[]> {
  return repository(queryable, kind).find({ order: { slug: 'ASC' } });
}
