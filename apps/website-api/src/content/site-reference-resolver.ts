import { posix } from 'node:path';
import type { Findings } from './findings.ts';
import { decodePath } from './former-paths.ts';
import type { LinkTargets } from './link-targets.ts';
import { isImage } from './media-types.ts';
import { SITE_PLACEHOLDER } from './site-placeholder.ts';

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

/** An image that the site shows, or one of another site that becomes a link. */
export interface ResolvedImage {
  url: string;
  isShown: boolean;
}

/** Resolves the references of one post to URLs of the site and warns about unresolved ones, with the line of an offset. */
export class SiteReferenceResolver {
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

  /** Returns the URL of a link, or undefined after a warning if it has no target on the site. */
  link(reference: string, offset: number): string | undefined {
    const scheme = schemeOf(reference);
    if (scheme === 'http' || scheme === 'https') return this.movedUrl(reference) ?? reference;
    if (scheme === 'mailto') return reference;
    if (scheme !== undefined) {
      this.warn(offset, `links to “${scheme}:” are not allowed; link removed, text kept`);
      return undefined;
    }
    if (reference.startsWith('//')) return this.movedUrl(`https:${reference}`) ?? `https:${reference}`;
    if (reference.startsWith('#') && reference.length > 1) return reference;
    if (reference === '#' || reference === '') return undefined;
    const { path, rest } = split(reference);
    const target = SITE_PATHS.test(path) ? SITE_PLACEHOLDER + path : this.contentUrl(path);
    if (target !== undefined) return target + rest;
    const oldUrl = this.oldUrl(reference);
    if (oldUrl !== undefined) return oldUrl;
    this.warn(offset, `“${reference}” does not exist on this site; link removed, text kept`);
    return undefined;
  }

  image(reference: string, offset: number): ResolvedImage | undefined {
    if (reference.startsWith('//')) return this.image(`https:${reference}`, offset);
    if (reference.startsWith(mediaUrl(''))) return { url: reference, isShown: true };
    const scheme = schemeOf(reference);
    const isWeb = scheme === 'http' || scheme === 'https';
    if (isWeb || scheme === undefined) {
      const path = isWeb ? this.movedPath(reference) : split(reference).path;
      const file = path === undefined ? undefined : this.mediaFile(path);
      if (file !== undefined && isImage(this.targets.contentType(file) ?? ''))
        return { url: this.media(file), isShown: true };
    }
    const url = isWeb ? URL.parse(reference)?.href : this.oldUrl(reference);
    if (url !== undefined) {
      this.warn(
        offset,
        `the image ${url} is on another site; replaced with a link. Add the file to the content folder to show it`,
      );
      return { url, isShown: false };
    }
    const problem =
      scheme === undefined
        ? `the image “${reference}” is not in the content folder`
        : `images from “${scheme}:” are not allowed`;
    this.warn(offset, `${problem}; replaced with its alt text`);
    return undefined;
  }

  /** Resolves a link to a post, by file path or by URL. */
  private postUrlOnSite(reference: string): string | undefined {
    const { path, rest } = split(reference);
    const base = path.replace(/\/$/, '');
    const slug =
      this.candidates(base)
        .flatMap((candidate) => [candidate, `${candidate}.md`, `${candidate}/index.md`])
        .map((candidate) => this.targets.slugOfFile(candidate))
        .find(Boolean) ?? this.targets.slugOfUrl(decodePath(base));
    return slug === undefined ? undefined : postUrl(slug) + rest;
  }

  /** Returns the URL of a post, category, tag or media file. */
  private contentUrl(path: string): string | undefined {
    const relative = this.withoutOldBase(path);
    const term = TERM_PATH.exec(relative)?.[1];
    if (term !== undefined)
      return this.targets.hasTerm(decodePath(term)) ? SITE_PLACEHOLDER + relative : undefined;
    const file = this.mediaFile(relative);
    return file === undefined ? this.postUrlOnSite(relative) : this.media(file);
  }

  /** Returns the new URL of content whose URL on the old site is given. */
  private movedUrl(reference: string): string | undefined {
    const path = this.movedPath(reference);
    const target = path === undefined ? undefined : this.contentUrl(path);
    const { search, hash } = (target !== undefined && URL.parse(reference)) || { search: '', hash: '' };
    return target === undefined ? undefined : target + search + hash;
  }

  /** Returns the path of a URL of the old site, with or without `www.`; undefined for other sites. */
  private movedPath(reference: string): string | undefined {
    const { oldSite } = this.targets;
    const url = oldSite && URL.parse(reference);
    return url && hostOf(url) === hostOf(oldSite) ? url.pathname : undefined;
  }

  /** Returns the URL on the old site of a link that starts with `/`. */
  private oldUrl(reference: string): string | undefined {
    const { oldSite } = this.targets;
    if (!oldSite || !/^\/(?!\/)/.test(reference)) return undefined;
    const url = URL.parse(reference, oldSite);
    // In a URL, a backslash after the first slash starts a host.
    return url?.host === oldSite.host ? url.href : undefined;
  }

  private withoutOldBase(path: string): string {
    const base = this.targets.oldSite?.pathname.replace(/\/$/, '') ?? '';
    return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
  }

  private media(file: string): string {
    this.files.add(file);
    return mediaUrl(file);
  }

  private mediaFile(path: string): string | undefined {
    return (
      this.candidates(path).find((candidate) => this.targets.contentType(candidate) !== undefined) ??
      this.targets.fileOfUrl(decodePath(path))
    );
  }

  private candidates(path: string): string[] {
    const decoded = decodePath(path);
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

const hostOf = ({ host }: URL) => host.replace(/^www\./, '');
