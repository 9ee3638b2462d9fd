import { createHash } from 'node:crypto';
import type { Database, Queryable } from '@gpu-observatory/service-runtime/process';
import type { PostFields, Term } from './post-fields.ts';
import type { PreparedContent } from './prepare-content.ts';
import type { PreparedPost } from './prepare-post.ts';
import type { PublishedFile } from './published-files.ts';

/** Number of rows that a sync changed. Unchanged rows are not written. */
export interface StoredContent {
  posts: Changes;
  media: Changes;
}

interface Changes {
  written: number;
  removed: number;
  unchanged: number;
}

/** Includes the preparation of the posts, which takes several seconds per MB of markdown. */
const STORE_TIMEOUT_MS = 1_800_000;

/** Prepares the posts and replaces the stored content in one transaction. An advisory lock serializes concurrent syncs. */
export function storeContent(database: Database, content: PreparedContent): Promise<StoredContent> {
  const posts = content.posts.filter(({ draft }) => !draft);
  return database.transaction(
    async (transaction) => {
      await transaction.query({
        text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:website:content', 0))",
      });
      const terms =
        (await writeTerms(transaction, 'categories', categoriesOf(posts))) +
        (await writeTerms(transaction, 'tags', tagsOf(posts)));
      const stored = {
        posts: await writePosts(transaction, posts, content),
        media: await writeMedia(transaction, content.media()),
      };
      const deleted =
        (await deleteUnusedTerms(transaction, 'categories', categoriesOf(posts))) +
        (await deleteUnusedTerms(transaction, 'tags', tagsOf(posts)));
      const changed =
        terms +
        deleted +
        stored.posts.written +
        stored.posts.removed +
        stored.media.written +
        stored.media.removed;
      if (changed > 0) {
        await transaction.query({ text: 'UPDATE website.content_revision SET revision = revision + 1' });
      }
      return stored;
    },
    { timeoutMs: STORE_TIMEOUT_MS },
  );
}

/** Returns the number of stored posts. */
export async function countStoredPosts(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>({
    text: 'SELECT count(*) AS count FROM website.posts',
  });
  return row?.count ?? 0;
}

/** If posts spell a term differently, the spelling of the newest post is used. */
const categoriesOf = (posts: PostFields[]) =>
  distinct(newestFirst(posts).flatMap(({ category }) => category ?? []));
const tagsOf = (posts: PostFields[]) => distinct(newestFirst(posts).flatMap(({ tags }) => tags));
const newestFirst = (posts: PostFields[]) =>
  posts.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || (a.slug < b.slug ? -1 : 1));
const distinct = (terms: Term[]) => [
  ...new Map(terms.toReversed().map((term) => [term.slug, term])).values(),
];

async function writeTerms(database: Queryable, table: 'categories' | 'tags', terms: Term[]): Promise<number> {
  const written = await database.query({
    text: `
      INSERT INTO website.${table} AS stored (slug, name)
      SELECT slug, name FROM unnest($1::text[], $2::text[]) AS input (slug, name)
      ON CONFLICT (slug) DO UPDATE SET name = excluded.name WHERE stored.name <> excluded.name
      RETURNING slug`,
    values: [terms.map(({ slug }) => slug), terms.map(({ name }) => name)],
  });
  return written.length;
}

async function deleteUnusedTerms(
  database: Queryable,
  table: 'categories' | 'tags',
  terms: Term[],
): Promise<number> {
  const deleted = await database.query({
    text: `DELETE FROM website.${table} WHERE slug <> ALL ($1::text[]) RETURNING slug`,
    values: [terms.map(({ slug }) => slug)],
  });
  return deleted.length;
}

async function writePosts(
  database: Queryable,
  posts: PostFields[],
  { prepare }: PreparedContent,
): Promise<Changes> {
  const removed = await database.query({
    text: 'DELETE FROM website.posts WHERE slug <> ALL ($1::text[]) RETURNING slug',
    values: [posts.map(({ slug }) => slug)],
  });
  let written = 0;
  for (const post of prepare()) {
    if (post.draft) continue;
    const changedRow = await writePost(database, post);
    const changedTags = await writePostTags(database, post);
    if (changedRow || changedTags) written += 1;
  }
  return { written, removed: removed.length, unchanged: posts.length - written };
}

async function writePost(database: Queryable, post: PreparedPost): Promise<boolean> {
  const columns = `title, summary, author, language, published_at, updated_at, category_slug, featured,
      reading_minutes, canonical_url, former_paths, image_path, body, html`;
  const rows = await database.query({
    name: 'write-post',
    text: `
      INSERT INTO website.posts AS stored (slug, ${columns})
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      ON CONFLICT (slug) DO UPDATE SET (${columns}) = ROW (${excluded(columns)})
      WHERE (${storedColumns(columns)}) IS DISTINCT FROM (${excluded(columns)})
      RETURNING slug`,
    values: [
      post.slug,
      post.title,
      post.summary,
      post.author,
      post.language,
      post.publishedAt,
      post.updatedAt,
      post.category?.slug,
      post.featured,
      post.readingMinutes,
      post.canonicalUrl,
      post.formerPaths,
      post.imagePath,
      post.body,
      post.html,
    ],
  });
  return rows.length > 0;
}

const excluded = (columns: string) => columns.replace(/\w+/g, 'excluded.$&');
const storedColumns = (columns: string) => columns.replace(/\w+/g, 'stored.$&');

async function writePostTags(database: Queryable, { slug, tags }: PreparedPost): Promise<boolean> {
  const slugs = tags.map((tag) => tag.slug);
  const [row] = await database.query<{ tags: string[] }>({
    text: `
      SELECT coalesce(array_agg(tag_slug ORDER BY position), '{}') AS tags
        FROM website.post_tags WHERE post_slug = $1`,
    values: [slug],
  });
  if (JSON.stringify(row?.tags) === JSON.stringify(slugs)) return false;
  await database.query({ text: 'DELETE FROM website.post_tags WHERE post_slug = $1', values: [slug] });
  await database.query({
    text: `
      INSERT INTO website.post_tags (post_slug, position, tag_slug)
      SELECT $1, position, tag_slug
        FROM unnest($2::text[]) WITH ORDINALITY AS input (tag_slug, position)`,
    values: [slug, slugs],
  });
  return true;
}

async function writeMedia(database: Queryable, media: PublishedFile[]): Promise<Changes> {
  const removed = await database.query({
    text: 'DELETE FROM website.media WHERE path <> ALL ($1::text[]) RETURNING path',
    values: [media.map(({ path }) => path)],
  });
  let written = 0;
  for (const { path, contentType, read, visibleFrom = '-infinity' } of media) {
    const bytes = await read();
    const sha256 = createHash('sha256').update(bytes).digest();
    const unchanged = await database.query({
      text: `
        SELECT path FROM website.media
         WHERE path = $1 AND content_type = $2 AND sha256 = $3 AND visible_from = $4`,
      values: [path, contentType, sha256, visibleFrom],
    });
    if (unchanged.length > 0) continue;
    await database.query({
      text: `
        INSERT INTO website.media (path, content_type, sha256, visible_from, bytes) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (path) DO UPDATE
          SET content_type = excluded.content_type, sha256 = excluded.sha256,
            visible_from = excluded.visible_from, bytes = excluded.bytes`,
      values: [path, contentType, sha256, visibleFrom, bytes],
    });
    written += 1;
  }
  return { written, removed: removed.length, unchanged: media.length - written };
}
