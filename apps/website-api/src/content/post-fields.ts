import { posix } from 'node:path';
import type { TermRow } from '../posts/term.entity.ts';
import { FieldReader, type UnreadName } from './field-reader.ts';
import type { Findings } from './findings.ts';
import type { FrontMatter } from './front-matter.ts';

/** Metadata of a post, independent of the front matter dialect. */
export interface PostFields {
  /** Path of its file, relative to the content folder. */
  path: string;
  slug: string;
  /** Undefined if the first heading of the body is the title. */
  title: string | undefined;
  summary: string | undefined;
  author: string;
  publishedAt: Date;
  updatedAt: Date;
  category: TermRow | undefined;
  tags: TermRow[];
  featured: boolean;
  draft: boolean;
  language: string;
  /** URL of the first publication on another site. */
  canonicalUrl: string | undefined;
  /** Earlier URL paths of the post, in comparable form. They redirect to the post. */
  formerPaths: string[];
  /** The Open Graph image, as written by the author. */
  image: { reference: string; line: number } | undefined;
}

/** A post with parsed front matter and unprocessed body. */
export interface ParsedPost extends PostFields {
  front: FrontMatter;
}

/** In UTF-16 code units, like `MAX_LENGTH`. */
export const MAX_TITLE_LENGTH = 200;
const MAX_LENGTH = { summary: 1_000, author: 300, term: 60 };
const DEFAULT_AUTHOR = 'GPU Observatory';
/** Of Hugo, Jekyll and Astro too. */
const DATE_NAMES = ['date', 'published_at', 'publishdate', 'pubdate'];
const UPDATE_NAMES = ['lastmod', 'updated_at', 'updated', 'last_modified_at'];
const SUMMARY_NAMES = ['description', 'summary', 'excerpt'];
const AUTHOR_NAMES = ['author', 'authors'];
const CANONICAL_NAMES = ['canonical_url', 'canonicalurl'];
/** Of Hugo, of Jekyll and its redirect plugin, and `path` of Zola. */
const FORMER_PATH_NAMES = ['aliases', 'alias', 'redirect_from', 'permalink', 'url', 'path'];
/** Names in other programs, and the names to use instead. */
const UNREAD_NAMES: UnreadName[] = [
  [/author|writer|byline|creator/, AUTHOR_NAMES],
  [/^(?:created|date|publish(?!ed$)|pub_)/, DATE_NAMES],
  [/updated|modified/, UPDATE_NAMES],
  [/^(?:subtitle|abstract)$/, SUMMARY_NAMES],
  [/^(?:pinned|sticky)$/, ['featured']],
  [/canonical/, CANONICAL_NAMES],
];
const DATED_FILE = /^\d{4}-\d{2}-\d{2}-(.+)$/;

/** Reads the metadata of a post. Each list of names is in order of precedence. */
export function readPostFields(path: string, front: FrontMatter, findings: Findings): PostFields | undefined {
  const errorsBefore = findings.errors.length;
  const fields = new FieldReader(path, front, findings);
  const name = posix.basename(path).replace(/\.(md|markdown)$/i, '');
  const [, restOfName] = DATED_FILE.exec(name) ?? [];

  const title = fields.text(['title'], MAX_TITLE_LENGTH);
  const publishedAt = fields.date(DATE_NAMES) ?? fields.dateInPath();
  if (!publishedAt && !fields.has(DATE_NAMES)) {
    fields.error(
      1,
      'the date is missing; add for example “date: 2026-01-31” or “date: 2026-01-31T09:00:00Z”',
    );
  }
  const [category, ...furtherCategories] = fields.terms(['category', 'categories'], MAX_LENGTH.term);
  const tags = [...furtherCategories, ...fields.terms(['tags', 'tag'], MAX_LENGTH.term)];
  const read = {
    path,
    title,
    slug: fields.slug(path, restOfName ?? name),
    summary: fields.text(SUMMARY_NAMES, MAX_LENGTH.summary),
    author: fields.people(AUTHOR_NAMES, MAX_LENGTH.author) ?? DEFAULT_AUTHOR,
    category,
    tags: tags.filter((tag, index) => tags.findIndex(({ slug }) => slug === tag.slug) === index),
    featured: fields.flag(['featured']) ?? false,
    draft: (fields.flag(['draft']) ?? false) || fields.flag(['published']) === false,
    language: fields.language(['lang', 'language']) ?? 'en',
    canonicalUrl: fields.webAddress(CANONICAL_NAMES),
    formerPaths: fields.formerPaths(FORMER_PATH_NAMES),
    image: fields.reference(['image', 'cover', 'images']),
  };
  const updatedAt = fields.date(UPDATE_NAMES) ?? publishedAt;
  if (publishedAt && updatedAt && updatedAt < publishedAt) {
    fields.error(1, 'the update date is before the publication date');
  }
  fields.warnOfUnreadNames(UNREAD_NAMES);
  if (findings.errors.length > errorsBefore || !publishedAt || !updatedAt || read.slug === undefined)
    return undefined;
  return { ...read, slug: read.slug, publishedAt, updatedAt };
}
