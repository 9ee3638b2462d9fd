import { posix } from 'node:path';
import type { Findings } from './findings.ts';
import { isImage } from './media-types.ts';
import type { ReferenceResolver, ResolvedImage } from './reference-resolver.ts';
import { SITE_PLACEHOLDER } from './site-placeholder.ts';
import { slugOf } from './slugs.ts';

/** Possible targets of links in a content folder. */
export interface LinkTargets {
  /** Slugs of posts, by file path. */
  slugs: ReadonlyMap<string, string>;
  /** Categories and tags of posts, for example `tag/ebpf`. */
  terms: ReadonlySet<string>;
  /** Content types of media, by file path. */
  media: ReadonlyMap<string, string>;
}

/** Pages and documents of the site that are not in the content folder. */
const SITE_PATHS =
  /^\/(?:blog|developers|contact|docs|index\.md|blog\.md|feed\.xml|sitemap\.xml|robots\.txt|llms\.txt|llms-full\.txt|agents\.md|openapi\.json|api\/(?:site|posts|categories|tags))?\/?$/;
const TERM_PATH = /^\/blog\/((?:category|tag)\/[^/]+?)(?:\.md)?\/?$/;
/** Folders that static site generators serve at the root path. */
const ROOTS = ['', 'static', 'public', 'assets'];

/** Returns the URL of a media file. */
export const mediaUrl = (file: string): string =>
  `${SITE_PLACEHOLDER}/media/${file.split('/').map(encodeURIComponent).join('/')}`;
const postUrl = (slug: string): string => `${SITE_PLACEHOLDER}/blog/${encodeURIComponent(slug)}`;

/** Resolves the references of one post to URLs of the site and warns about unresolved ones. */
export class SiteReferenceResolver implements ReferenceResolver {
  constructor(
    private readonly file: string,
    private readonly targets: LinkTargets,
    private readonly findings: Findings,
    private readonly lineOf: (offset: number) => number,
    /** Receives the paths of the media that the post refers to. */
    private readonly files: Set<string>,
  ) {}

  warn(offset: number, message: string): void {
    this.findings.warn(this.file, this.lineOf(offset), message);
  }

  link(reference: string, offset: number): string | undefined {
    const scheme = schemeOf(reference);
    if (scheme === 'http' || scheme === 'https' || scheme === 'mailto') return reference;
    if (scheme !== undefined) {
      this.warn(offset, `links to “${scheme}:” are not allowed; link removed, text kept`);
      return undefined;
    }
    if (reference.startsWith('//')) return `https:${reference}`;
    if (reference.startsWith('#') && reference.length > 1) return reference;
    if (reference === '#' || reference === '') return undefined;
    const { path, rest } = split(reference);
    const target = this.pathOf(path);
    if (target !== undefined) return target + rest;
    this.warn(offset, `“${reference}” does not exist on this site; link removed, text kept`);
    return undefined;
  }

  image(reference: string, offset: number): ResolvedImage {
    const scheme = schemeOf(reference);
    if (scheme === 'http' || scheme === 'https') {
      this.warn(
        offset,
        `the image ${reference} is on another site; replaced with a link. Add the file to the content folder to show it`,
      );
      return { linked: reference };
    }
    if (scheme === undefined) {
      const file = this.mediaFile(split(reference).path);
      if (file !== undefined && isImage(this.targets.media.get(file) ?? ''))
        return { shown: this.media(file) };
    }
    const problem =
      scheme === undefined
        ? `the image “${reference}” is not in the content folder`
        : `images from “${scheme}:” are not allowed`;
    this.warn(offset, `${problem}; replaced with its alt text`);
    return undefined;
  }

  /** Resolves a link or `ref` to a post, by file path or by a URL that ends in the slug of the post. */
  postPath(reference: string): string | undefined {
    const { path, rest } = split(reference);
    const file = this.candidates(path.replace(/\/$/, ''))
      .flatMap((base) => [base, `${base}.md`, `${base}/index.md`])
      .find((candidate) => this.targets.slugs.has(candidate));
    const name = posix.basename(path.replace(/\/$/, '')).replace(/\.(md|markdown|html)$/, '');
    const slug =
      (file === undefined ? undefined : this.targets.slugs.get(file)) ??
      [...this.targets.slugs.values()].find((slug) => slug === name || slug === slugOf(withoutDate(name)));
    return slug === undefined ? undefined : postUrl(slug) + rest;
  }

  private pathOf(path: string): string | undefined {
    if (SITE_PATHS.test(path)) return SITE_PLACEHOLDER + path;
    const term = TERM_PATH.exec(path)?.[1];
    if (term !== undefined) return this.targets.terms.has(decode(term)) ? SITE_PLACEHOLDER + path : undefined;
    const file = this.mediaFile(path);
    return file === undefined ? this.postPath(path) : this.media(file);
  }

  private media(file: string): string {
    this.files.add(file);
    return mediaUrl(file);
  }

  private mediaFile(path: string): string | undefined {
    return this.candidates(path).find((candidate) => this.targets.media.has(candidate));
  }

  private candidates(path: string): string[] {
    const decoded = decode(path);
    if (decoded.startsWith('/media/')) return [decoded.slice('/media/'.length)];
    return decoded.startsWith('/')
      ? ROOTS.map((root) => posix.join(root, decoded.slice(1)))
      : [posix.join(posix.dirname(this.file), decoded)];
  }
}

/** Returns the scheme of a URL. Like browsers, ignores white space and control characters, as in `java\nscript:`. */
function schemeOf(reference: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(reference.replace(/[\s\p{C}]/gu, ''))?.[1]?.toLowerCase();
}

function split(reference: string): { path: string; rest: string } {
  const at = reference.search(/[?#]/);
  return at < 0 ? { path: reference, rest: '' } : { path: reference.slice(0, at), rest: reference.slice(at) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const withoutDate = (name: string) => name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
