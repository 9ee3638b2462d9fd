import { withSiteUrl } from '../content/site-placeholder.ts';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** A published post as stored, except that `body` has the site's URL in it. */
export interface PostRow {
  slug: string;
  title: string;
  summary: string;
  author: string;
  language: string;
  published_at: Date;
  updated_at: Date;
  category_slug: string | null;
  featured: boolean;
  reading_minutes: number;
  canonical_url: string | null;
  /** Earlier URL paths, which redirect to the post; in comparable form. */
  former_paths: string[];
  image_path: string | null;
  tag_slugs: string[];
  /** Markdown. */
  body: string;
  /** Sanitized HTML with `SITE_PLACEHOLDER` in place of the site URL. */
  html: string;
}

export interface TermRow {
  slug: string;
  name: string;
}

/** Returns a version that changes with each sync and each time a scheduled post becomes public. */
export async function readContentVersion(database: Queryable): Promise<string> {
  const [row] = await database.query<{ revision: number; published: number }>({
    name: 'content-version',
    text: `
      SELECT revision, (SELECT count(*) FROM website.posts WHERE published_at <= now()) AS published
        FROM website.content_revision`,
  });
  return `${row?.revision}:${row?.published}`;
}

/** Returns the posts whose publication time has passed, newest first. */
export async function readPublishedPosts(database: Queryable, siteUrl: string): Promise<PostRow[]> {
  const rows = await database.query<PostRow>({
    name: 'published-posts',
    text: `
      SELECT slug, title, summary, author, language, published_at, updated_at, category_slug, featured,
             reading_minutes, canonical_url, former_paths, image_path, body, html,
             ARRAY(SELECT tag_slug FROM website.post_tags WHERE post_slug = slug ORDER BY position) AS tag_slugs
        FROM website.posts
       WHERE published_at <= now()
       ORDER BY published_at DESC, slug`,
  });
  return rows.map((row) => ({ ...row, body: withSiteUrl(row.body, siteUrl) }));
}

export function readTerms(database: Queryable, table: 'categories' | 'tags'): Promise<TermRow[]> {
  return database.query<TermRow>({
    name: `${table}-terms`,
    text: `SELECT slug, name FROM website.${table} ORDER BY slug`,
  });
}
