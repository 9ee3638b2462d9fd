import { posix } from 'node:path';
import type { TermRow } from '../posts/term.entity.ts';
import { parseDate } from './dates.ts';
import type { Findings } from './findings.ts';
import { formerPaths } from './former-paths.ts';
import type { FrontMatter } from './front-matter.ts';
import { peopleOf } from './people.ts';
import { MAX_SLUG_LENGTH, SLUG, slugOf } from './slugs.ts';

/** A name in another program, and the names to use instead. */
export type UnreadName = [name: RegExp, names: string[]];

/** Longer values are cut in messages. */
const MAX_SHOWN_LENGTH = 160;
const DATE_IN_PATH = /(?:^|\/)(\d{4})[-/](\d{2})[-/](\d{2})[-/]/;

/** Returns a value as one line of a message. */
export function shortened(value: unknown): string {
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** A front matter value with the name that the author used. */
interface Found {
  name: string;
  value: unknown;
  line: number;
}

/** Looks up front matter values by any of their names and reports values of the wrong type. */
export class FieldReader {
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
    return this.read(
      names,
      (value) => (typeof value === 'string' ? parseDate(value) : undefined),
      ({ name, value }) => {
        const isAmbiguous = /^\d{1,2}[-./]\d{1,2}[-./]\d{4}/.test(String(value));
        return (
          `“${name}: ${shortened(value)}” ${isAmbiguous ? 'is ambiguous' : 'is not a date'}; ` +
          'write 2026-01-31, 2026-01-31T09:00:00Z or Jan 31, 2026'
        );
      },
    );
  }

  /** Finds a date such as `2014/12/12/` or `2014-12-12-` in the path of the file, or in that of its page in Jekyll or Zola. */
  dateInPath(): Date | undefined {
    const paths = [this.path, ...['path', 'permalink', 'url'].map((name) => this.find([name])?.value)];
    const [, ...numbers] = paths.map((text) => DATE_IN_PATH.exec(String(text))).find(Boolean) ?? [];
    return parseDate(numbers.join('-'));
  }

  flag(names: string[]): boolean | undefined {
    return this.read(
      names,
      (value) => (typeof value === 'boolean' ? value : undefined),
      ({ name }) => `“${name}” must be true or false`,
    );
  }

  terms(names: string[], maxLength: number): TermRow[] {
    return names.flatMap((name) => {
      const found = this.find([name]);
      if (!found) return [];
      const members = membersOf(found);
      const terms = members.map((member) => termOf(member, maxLength));
      const invalid = members.filter((_member, index) => terms[index] === undefined);
      if (invalid.length > 0)
        this.error(
          found.line,
          `“${name}” must be words of at most ${maxLength} characters, for example [gpu, kernel]; got ` +
            shortened(invalid.map((member) => JSON.stringify(member)).join(', ')),
        );
      return terms.flatMap((term) => term ?? []);
    });
  }

  people(names: string[], maxLength: number): string | undefined {
    for (const name of names) {
      const found = this.find([name]);
      if (!found) continue;
      const people = peopleOf(found.value);
      if (people === undefined) {
        this.error(found.line, `“${name}” must be a name, an object with “name”, or a list of them`);
        return undefined;
      }
      const author = people.join(', ');
      if (author.length > maxLength) {
        this.error(found.line, `“${name}” has ${author.length} characters; the maximum is ${maxLength}`);
      }
      if (author !== '') return author;
    }
    return undefined;
  }

  /** Warns of a name that looks like that of a field, if the post has no other value of the field. */
  warnOfUnreadNames(unreadNames: UnreadName[]): void {
    for (const [name, { line, value }] of this.front.values) {
      const names = unreadNames.find(([unread]) => unread.test(name))?.[1];
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
    return this.read(
      names,
      (value) => (/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(textOf(value)) ? textOf(value) : undefined),
      ({ name }) => `“${name}” must be a language tag such as en or pt-BR`,
    );
  }

  webAddress(names: string[]): string | undefined {
    return this.read(
      names,
      (value) => (/^https?:\/\//.test(textOf(value)) ? URL.parse(textOf(value))?.href : undefined),
      ({ name }) => `“${name}” must be a URL that starts with https://`,
    );
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

  /** @param parse returns undefined for an invalid value, which is then reported */
  private read<Value>(
    names: string[],
    parse: (value: unknown) => Value | undefined,
    describe: (found: Found) => string,
  ): Value | undefined {
    const found = this.find(names);
    if (!found) return undefined;
    const value = parse(found.value);
    if (value === undefined) this.error(found.line, describe(found));
    return value;
  }

  private find(names: string[]): Found | undefined {
    for (const name of names) {
      const found = this.front.values.get(name);
      if (found && found.value !== null && found.value !== undefined && found.value !== '')
        return { name, ...found };
    }
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Splits the value of several terms. In Jekyll, `tags: one two` is two tags. A comma takes precedence as the separator. */
function membersOf({ name, value }: Found): unknown[] {
  if (typeof value !== 'string') return [value].flat();
  if (value.includes(',')) return value.split(',');
  return name.endsWith('s') ? value.split(/\s+/) : [value];
}

/** Returns undefined for a value that is not a category or tag, and no term for an empty text. */
function termOf(member: unknown, maxLength: number): TermRow | [] | undefined {
  if (typeof member !== 'string' && typeof member !== 'number') return undefined;
  const name = String(member).replace(/\s+/g, ' ').trim();
  const slug = slugOf(name);
  if (name === '') return [];
  return slug === '' || name.length > maxLength ? undefined : { slug, name };
}
