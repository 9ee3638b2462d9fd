import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { Raw } from 'typeorm';
import { withSiteUrl } from '../content/site-placeholder.ts';
import { repository } from '../database/repositories.ts';
import { Post } from './post.entity.ts';
import { Tag } from './term.entity.ts';

/** A post whose publication time has passed, with its category and tags, and the site's URL in its `body`. */
export interface PublishedPost extends Post {
  tags: Tag[];
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
    relations: { category: true },
    where: { published_at: Raw((publishedAt) => `${publishedAt} <= now()`) },
    order: { published_at: 'DESC', slug: 'ASC' },
  });
  const tags = new Map((await repository(queryable, Tag).find()).map((tag) => [tag.slug, tag]));
  return posts.map((post) => ({
    ...post,
    body: withSiteUrl(post.body, siteUrl),
    tags: post.tag_slugs.flatMap((slug) => tags.get(slug) ?? []),
  }));
}
