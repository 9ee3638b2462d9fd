import { posix } from 'node:path';
import { parseDate } from './dates.ts';
import type { Findings } from './findings.ts';
import { formerPaths } from './former-paths.ts';
import type { FrontMatter } from './front-matter.ts';
import { peopleOf } from './people.ts';
import { MAX_SLUG_LENGTH, SLUG, slugOf } from './slugs.ts';

/** A category or tag. */
export interface Term {
  slug: string;
  name: string;
}

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
  category: Term | undefined;
  tags: Term[];
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
/** Longer values are cut in messages. */
const MAX_SHOWN_LENGTH = 160;
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
const UNREAD_NAMES: [name: RegExp, names: string[]][] = [
  [/author|writer|byline|creator/, AUTHOR_NAMES],
  [/^(?:created|date|publish(?!ed$)|pub_)/, DATE_NAMES],
  [/updated|modified/, UPDATE_NAMES],
  [/^(?:subtitle|abstract)$/, SUMMARY_NAMES],
  [/^(?:pinned|sticky)$/, ['featured']],
  [/canonical/, CANONICAL_NAMES],
];
const DATED_FILE = /^\d{4}-\d{2}-\d{2}-(.+)$/;
const DATE_IN_PATH = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})[-/]/;

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
  const [category, ...furtherCategories] = fields.terms(['category', 'categories']);
  const tags = [...furtherCategories, ...fields.terms(['tags', 'tag'])];
  const read = {
    path,
    title,
    slug: fields.slug(path, restOfName ?? name),
    summary: fields.text(SUMMARY_NAMES, MAX_LENGTH.summary),
    author: fields.people(AUTHOR_NAMES) ?? DEFAULT_AUTHOR,
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
  fields.warnOfUnreadNames();
  if (findings.errors.length > errorsBefore || !publishedAt || !updatedAt || read.slug === undefined)
    return undefined;
  return { ...read, slug: read.slug, publishedAt, updatedAt };
}

/** Returns a value as one line of a message. */
export function shortened(value: unknown): string {
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Looks up front matter values by any of their names and reports values of the wrong type. */
class FieldReader {
  constructor(
    private readonly path: string,
    private readonly front: FrontMatter,
    private readonly findings: Findings,
  ) {}

  error(line: number, message: string): void {
    this.findings.error(this.path, line, message);
  }

  has(names: string[]): boolean {
    return this.find(names) !== undefined;
  }

  text(names: string[], maxLength: number): string | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    const { name, value, line } = found;
    if (typeof value !== 'string' && typeof value !== 'number') {
      this.error(line, `“${name}” must be text`);
      return undefined;
    }
    const text = String(value).replace(/\s+/g, ' ').trim();
    if (text.length > maxLength) {
      this.error(line, `“${name}” has ${text.length} characters; the maximum is ${maxLength}`);
    }
    return text === '' ? undefined : text;
  }

  date(names: string[]): Date | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    const date = typeof found.value === 'string' ? parseDate(found.value) : undefined;
    if (!date) {
      const isAmbiguous = /^\d{1,2}[-./]\d{1,2}[-./]\d{4}/.test(String(found.value));
      this.error(
        found.line,
        `“${found.name}: ${shortened(found.value)}” ${isAmbiguous ? 'is ambiguous' : 'is not a date'}; ` +
          'write 2026-01-31, 2026-01-31T09:00:00Z or Jan 31, 2026',
      );
    }
    return date;
  }

  /** Finds a date such as `2014/12/12/` or `2014-12-12-` in the path of the file, or in that of its page in Jekyll or Zola. */
  dateInPath(): Date | undefined {
    const paths = [this.path, ...['path', 'permalink', 'url'].map((name) => this.find([name])?.value)];
    const [, ...numbers] = paths.map((text) => DATE_IN_PATH.exec(String(text))).find(Boolean) ?? [];
    return parseDate(numbers.join('-'));
  }

  flag(names: string[]): boolean | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    if (typeof found.value === 'boolean') return found.value;
    this.error(found.line, `“${found.name}” must be true or false`);
    return undefined;
  }

  terms(names: string[]): Term[] {
    return names.flatMap((name) => {
      const found = this.find([name]);
      if (!found) return [];
      // In Jekyll, `tags: one two` is two tags. A comma takes precedence as the separator.
      const { value } = found;
      const members = Array.isArray(value)
        ? (value as unknown[])
        : typeof value === 'string'
          ? value.split(value.includes(',') ? ',' : name.endsWith('s') ? /\s+/ : /$^/)
          : [value];
      const terms = members.map((member) => termOf(member));
      const invalid = members.filter((_member, index) => terms[index] === undefined);
      if (invalid.length > 0)
        this.error(
          found.line,
          `“${name}” must be words of at most ${MAX_LENGTH.term} characters, for example [gpu, kernel]; got ` +
            shortened(invalid.map((member) => JSON.stringify(member)).join(', ')),
        );
      return terms.flatMap((term) => term ?? []);
    });
  }

  people(names: string[]): string | undefined {
    for (const name of names) {
      const found = this.find([name]);
      if (!found) continue;
      const people = peopleOf(found.value);
      if (people === undefined) {
        this.error(found.line, `“${name}” must be a name, an object with “name”, or a list of them`);
        return undefined;
      }
      const author = people.join(', ');
      if (author.length > MAX_LENGTH.author) {
        this.error(
          found.line,
          `“${name}” has ${author.length} characters; the maximum is ${MAX_LENGTH.author}`,
        );
      }
      if (author !== '') return author;
    }
    return undefined;
  }

  /** Warns of a name that looks like that of a field, if the post has no other value of the field. */
  warnOfUnreadNames(): void {
    for (const [name, { line, value }] of this.front.values) {
      const names = UNREAD_NAMES.find(([unread]) => unread.test(name))?.[1];
      if (!names || this.has(names) || value === false) continue;
      this.findings.warn(this.path, line, `“${name}” is not read; use “${names[0]}”`);
    }
  }

  slug(path: string, nameInPath: string): string | undefined {
    const found = this.find(['slug']);
    if (found) {
      const { value, line } = found;
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      if (text.length <= MAX_SLUG_LENGTH && SLUG.test(text)) return text;
      const slug = slugOf(text);
      if (slug === '' || text.includes('/')) {
        this.error(
          line,
          `“slug: ${shortened(value)}” must be lower-case letters and digits joined by dashes, at most ` +
            `${MAX_SLUG_LENGTH} characters, for example “${slugOf(posix.basename(text)) || 'a-slug'}”`,
        );
        return undefined;
      }
      this.findings.warn(
        this.path,
        line,
        `“slug: ${shortened(text)}” becomes “${slug}”; the URL with the old spelling redirects to the new one`,
      );
      return slug;
    }
    // Hugo page bundles: posts/some-post/index.md takes its slug from the folder.
    const name = nameInPath.toLowerCase() === 'index' ? posix.basename(posix.dirname(path)) : nameInPath;
    const slug = slugOf(name);
    if (slug === '')
      this.error(1, 'the file name has no letters or digits for a slug; add for example “slug: a-slug”');
    return slug || undefined;
  }

  language(names: string[]): string | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    if (typeof found.value === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(found.value))
      return found.value;
    this.error(found.line, `“${found.name}” must be a language tag such as en or pt-BR`);
    return undefined;
  }

  webAddress(names: string[]): string | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    if (typeof found.value === 'string' && /^https?:\/\//.test(found.value) && URL.canParse(found.value)) {
      return new URL(found.value).href;
    }
    this.error(found.line, `“${found.name}” must be a URL that starts with https://`);
    return undefined;
  }

  /** Reads all names. `permalink` and `url` may also be a pattern or a link to another site, which are ignored. */
  formerPaths(names: string[]): string[] {
    const file = posix.basename(this.path).toLowerCase();
    const isBundle = file === 'index.md' || file === 'index.markdown';
    const folder = posix.dirname(isBundle ? posix.dirname(this.path) : this.path);
    const paths = names.flatMap((name) => {
      const found = this.find([name]);
      if (!found) return [];
      const texts: unknown[] = Array.isArray(found.value) ? found.value : [found.value];
      if (name === 'path') return [posix.join('/', String(found.value))];
      if (name === 'permalink' || name === 'url')
        return texts.filter((text) => typeof text === 'string' && /^\/[^:]*$/.test(text)) as string[];
      if (texts.every((text) => typeof text === 'string')) return texts;
      this.error(found.line, `“${name}” must be a path or a list of paths, for example [/2024/old-name/]`);
      return [];
    });
    return [...new Set(paths.flatMap((path) => formerPaths(path, folder)))];
  }

  reference(names: string[]): { reference: string; line: number } | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    const value = Array.isArray(found.value) ? (found.value as unknown[])[0] : found.value;
    const text =
      typeof value === 'object' && value !== null
        ? ['path', 'src', 'image'].map((name) => (value as Record<string, unknown>)[name]).find(Boolean)
        : value;
    if (typeof text === 'string' && text !== '') return { reference: text, line: found.line };
    if (text !== undefined) this.error(found.line, `“${found.name}” must be the path of an image`);
    return undefined;
  }

  private find(names: string[]): { name: string; value: unknown; line: number } | undefined {
    for (const name of names) {
      const found = this.front.values.get(name);
      if (found && found.value !== null && found.value !== undefined && found.value !== '')
        return { name, ...found };
    }
    return undefined;
  }
}

/** Returns undefined for a value that is not a category or tag, and no term for an empty text. */
function termOf(member: unknown): Term | [] | undefined {
  if (typeof member !== 'string' && typeof member !== 'number') return undefined;
  const name = String(member).trim();
  const slug = slugOf(name);
  if (name === '') return [];
  return slug === '' || name.length > MAX_LENGTH.term ? undefined : { slug, name };
}
