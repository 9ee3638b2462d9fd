import { posix } from 'node:path';
import type { Findings } from './findings.ts';
import { isImage } from './media-types.ts';
import type { ReferenceResolver, ResolvedImage } from './references.ts';
import { SITE } from './site-address.ts';
import { slugOf } from './slugs.ts';

/** What a content folder holds, as far as the links of a post may lead there. */
export interface LinkTargets {
  /** Slugs of posts, by the path of the file. */
  slugs: ReadonlyMap<string, string>;
  /** Categories and tags of posts, such as `tag/ebpf`. */
  terms: ReadonlySet<string>;
  /** Content types of media, by the path of the file. */
  media: ReadonlyMap<string, string>;
}

/** Pages and documents of the site that are not content. */
const SITE_PATHS =
  /^\/(?:blog|developers|contact|docs|index\.md|blog\.md|feed\.xml|sitemap\.xml|robots\.txt|llms\.txt|llms-full\.txt|agents\.md|openapi\.json|api\/(?:site|posts|categories|tags))?\/?$/;
const TERM_PATH = /^\/blog\/((?:category|tag)\/[^/]+?)(?:\.md)?\/?$/;
/** Where generators keep the files that a page names from the root. */
const ROOTS = ['', 'static', 'public', 'assets'];

/** The address of a file of the folder. */
export const mediaAddress = (file: string): string =>
  `${SITE}/media/${file.split('/').map(encodeURIComponent).join('/')}`;
const postAddress = (slug: string): string => `${SITE}/blog/${encodeURIComponent(slug)}`;

/** Resolves what one post refers to, and reports what leads nowhere. */
export class SiteReferences implements ReferenceResolver {
  constructor(
    private readonly file: string,
    private readonly targets: LinkTargets,
    private readonly findings: Findings,
    private readonly lineOf: (offset: number) => number,
    /** Takes the paths of the media that the post refers to. */
    private readonly files: Set<string>,
  ) {}

  warn(offset: number, message: string): void {
    this.findings.warn(this.file, this.lineOf(offset), message);
  }

  link(reference: string, offset: number): string | undefined {
    const scheme = schemeOf(reference);
    if (scheme === 'http' || scheme === 'https' || scheme === 'mailto') return reference;
    if (scheme !== undefined) {
      this.warn(
        offset,
        `a link to “${scheme}:” leads nowhere from a page: its words stay, the link is left out`,
      );
      return undefined;
    }
    if (reference.startsWith('//')) return `https:${reference}`;
    if (reference.startsWith('#') && reference.length > 1) return reference;
    if (reference === '#' || reference === '') return undefined;
    const { path, rest } = split(reference);
    const target = this.pathOf(path);
    if (target !== undefined) return target + rest;
    this.warn(
      offset,
      `the link to “${reference}” leads nowhere on this site: its words stay, the link is left out`,
    );
    return undefined;
  }

  image(reference: string, offset: number): ResolvedImage {
    const scheme = schemeOf(reference);
    if (scheme === 'http' || scheme === 'https') {
      this.warn(
        offset,
        `the image ${reference} is on another site: it becomes a link; put the file beside the post`,
      );
      return { linked: reference };
    }
    if (scheme === undefined) {
      const file = this.mediaFile(split(reference).path);
      if (file !== undefined && isImage(this.targets.media.get(file) ?? ''))
        return { shown: this.media(file) };
    }
    const what =
      scheme === undefined ? `the image “${reference}” is not in the folder` : `an image as “${scheme}:”`;
    this.warn(offset, `${what}: its description stands in its place`);
    return undefined;
  }

  /** The page of the post that a link or a `ref` names: by its file, or by an address that ends in its slug. */
  postPath(reference: string): string | undefined {
    const { path, rest } = split(reference);
    const file = this.candidates(path.replace(/\/$/, ''))
      .flatMap((base) => [base, `${base}.md`, `${base}/index.md`])
      .find((candidate) => this.targets.slugs.has(candidate));
    const name = posix.basename(path.replace(/\/$/, '')).replace(/\.(md|markdown|html)$/, '');
    const slug =
      (file === undefined ? undefined : this.targets.slugs.get(file)) ??
      [...this.targets.slugs.values()].find((known) => known === name || known === slugOf(undated(name)));
    return slug === undefined ? undefined : postAddress(slug) + rest;
  }

  private pathOf(path: string): string | undefined {
    if (SITE_PATHS.test(path)) return SITE + path;
    const term = TERM_PATH.exec(path)?.[1];
    if (term !== undefined) return this.targets.terms.has(decode(term)) ? SITE + path : undefined;
    const file = this.mediaFile(path);
    return file === undefined ? this.postPath(path) : this.media(file);
  }

  private media(file: string): string {
    this.files.add(file);
    return mediaAddress(file);
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

/** Browsers skip blanks and control characters in a scheme, so `java\nscript:` has one. */
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

const undated = (name: string) => name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
