import { createHash } from 'node:crypto';
import type { OwnerDatabase, Queryable } from '@gpu-observatory/service-runtime/process';
import { Any, type EntityTarget, Not, type ObjectLiteral, type QueryDeepPartialEntity, Raw } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { MediaFile } from '../media/media-file.entity.ts';
import { ContentRevision } from '../posts/content-revision.entity.ts';
import { Post } from '../posts/post.entity.ts';
import { Category, Tag, type TermRow } from '../posts/term.entity.ts';
import type { PostFields } from './post-fields.ts';
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

/** Prepares the posts and replaces the stored content in one transaction. An advisory lock serializes concurrent syncs. */
export function storeContent(
  database: Pick<OwnerDatabase, 'transaction'>,
  content: PreparedContent,
): Promise<StoredContent> {
  const posts = content.posts.filter(({ draft }) => !draft);
  const categories = distinct(newestFirst(posts).flatMap(({ category }) => category ?? []));
  const tags = distinct(newestFirst(posts).flatMap((post) => post.tags));
  return database.transaction(async (transaction) => {
    await transaction.query({
      text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:website:content', 0))",
    });
    const terms =
      (await upsert(transaction, Category, 'slug', categories)) +
      (await upsert(transaction, Tag, 'slug', tags));
    const stored = {
      posts: await writePosts(transaction, posts, content),
      media: await writeMedia(transaction, content.media()),
    };
    const deleted =
      (await deleteOthers(transaction, Category, 'slug', categories)) +
      (await deleteOthers(transaction, Tag, 'slug', tags));
    const changes = [stored.posts, stored.media].map(({ written, removed }) => written + removed);
    if (changes.some(Boolean) || terms + deleted > 0) {
      await repository(transaction, ContentRevision).increment({ single_row: true }, 'revision', 1);
    }
    return stored;
  });
}

const newestFirst = (posts: PostFields[]) =>
  posts.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || (a.slug < b.slug ? -1 : 1));
/** If posts spell a term differently, the spelling of the newest post is used. */
const distinct = (terms: TermRow[]) => [
  ...new Map(terms.toReversed().map((term) => [term.slug, term])).values(),
];

async function writePosts(
  transaction: Queryable,
  posts: PostFields[],
  { prepare }: PreparedContent,
): Promise<Changes> {
  const removed = await deleteOthers(transaction, Post, 'slug', posts);
  let written = 0;
  for (const post of prepare()) {
    if (post.draft) continue;
    written += await upsert(transaction, Post, 'slug', [rowOf(post)]);
  }
  return { written, removed, unchanged: posts.length - written };
}

const rowOf = (post: PreparedPost) => ({
  slug: post.slug,
  title: post.title,
  summary: post.summary,
  author: post.author,
  language: post.language,
  published_at: post.publishedAt,
  updated_at: post.updatedAt,
  category_slug: post.category?.slug ?? null,
  tag_slugs: post.tags.map(({ slug }) => slug),
  featured: post.featured,
  reading_minutes: post.readingMinutes,
  canonical_url: post.canonicalUrl ?? null,
  former_paths: post.formerPaths,
  image_path: post.imagePath ?? null,
  body: post.body,
  html: post.html,
});

async function writeMedia(transaction: Queryable, media: PublishedFile[]): Promise<Changes> {
  const removed = await deleteOthers(transaction, MediaFile, 'path', media);
  let written = 0;
  for (const { path, contentType, read, visibleFrom } of media) {
    const bytes = await read();
    const sha256 = createHash('sha256').update(bytes).digest();
    const row = { path, content_type: contentType, sha256 };
    const visible_from = Raw((column) => `${column} = :time`, { time: visibleFrom ?? '-infinity' });
    if (await repository(transaction, MediaFile).existsBy({ ...row, visible_from })) continue;
    await upsert(transaction, MediaFile, 'path', [
      { ...row, visible_from: visibleFrom ?? (() => "'-infinity'"), bytes },
    ]);
    written += 1;
  }
  return { written, removed, unchanged: media.length - written };
}

/** Inserts rows, or updates those that differ. Returns the number of rows that changed. */
async function upsert<Row extends ObjectLiteral>(
  transaction: Queryable,
  entity: EntityTarget<Row>,
  key: string & keyof Row,
  rows: QueryDeepPartialEntity<Row>[],
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const columns = Object.keys(first).filter((column) => column !== key);
  const { raw } = await repository(transaction, entity)
    .createQueryBuilder()
    .insert()
    .values(rows)
    .orUpdate(columns, [key], { skipUpdateIfNoValuesChanged: true })
    .updateEntity(false)
    .returning(key)
    .execute();
  return (raw as unknown[]).length;
}

/** Deletes all rows without one of these keys. Returns their number. */
async function deleteOthers<Row extends ObjectLiteral, Key extends string & keyof Row>(
  transaction: Queryable,
  entity: EntityTarget<Row>,
  key: Key,
  kept: Pick<Row, Key>[],
): Promise<number> {
  const { raw } = await repository(transaction, entity)
    .createQueryBuilder()
    .delete()
    .where({ [key]: Not(Any(kept.map((row) => row[key]))) })
    .returning(key)
    .execute();
  return (raw as unknown[]).length;
}
