import { posix } from 'node:path';
import type { MediaFile } from './content-folder.ts';
import { comparablePath } from './former-paths.ts';
import type { PostFields } from './post-fields.ts';
import { slugOf } from './slugs.ts';

/** Segments that come before the name of a post in URLs: dates, names of blogs and language codes. */
const BEFORE_POST =
  /^(?:\.\.?|\d+|blogs?|posts?|news|articles?|research|stories|archives?|[a-z]{2}(?:-[a-z]{2})?)$/i;

/** Possible targets of links in a content folder. */
export class LinkTargets {
  private readonly byFile: ReadonlyMap<string, PostFields>;
  private readonly bySlug: ReadonlyMap<string, PostFields>;
  private readonly byFormerPath: ReadonlyMap<string, PostFields>;
  private readonly byFileName: ReadonlyMap<string, PostFields>;
  /** Categories and tags of posts, for example `tag/ebpf`. */
  private readonly terms: ReadonlySet<string>;
  /** Content types by file path. */
  private readonly media: ReadonlyMap<string, string>;

  /** @param oldSite URL of the site from which the content was moved */
  constructor(
    posts: PostFields[],
    media: MediaFile[],
    readonly oldSite: URL | undefined,
  ) {
    this.byFile = new Map(posts.map((post) => [post.path, post]));
    this.bySlug = new Map(posts.map((post) => [post.slug, post]));
    this.byFormerPath = new Map(posts.flatMap((post) => post.formerPaths.map((path) => [path, post])));
    this.byFileName = new Map(posts.map((post) => [slugOf(nameOf(post.path)), post]));
    this.terms = new Set(
      posts.flatMap(({ category, tags }) => [
        ...(category ? [`category/${category.slug}`] : []),
        ...tags.map(({ slug }) => `tag/${slug}`),
      ]),
    );
    this.media = new Map(media.map(({ path, contentType }) => [path, contentType]));
  }

  /** Returns the content type of a media file, or undefined without one at this path. */
  contentType(path: string): string | undefined {
    return this.media.get(path);
  }

  hasTerm(term: string): boolean {
    return this.terms.has(term);
  }

  slugOfFile(path: string): string | undefined {
    return this.byFile.get(path)?.slug;
  }

  /** Finds a post by an earlier path, or by a path that ends in its slug or file name, such as `/2026/01/31/a-post/`. */
  slugOfUrl(path: string): string | undefined {
    const former = this.byFormerPath.get(comparablePath(path));
    if (former) return former.slug;
    const parts = path.split('/').filter(Boolean);
    const post = this.named(parts.pop()?.replace(/\.(md|markdown|html?)$/i, '') ?? '');
    if (!post) return undefined;
    const known = [post.category?.slug, ...post.path.split('/')];
    return parts.every((part) => BEFORE_POST.test(part) || known.includes(part)) ? post.slug : undefined;
  }

  /** Finds a file in the folder of a post by its URL, such as `/blog/a-post/images/a.png`. */
  fileOfUrl(path: string): string | undefined {
    const parts = path.split('/').filter(Boolean);
    // From the end, because an earlier segment, such as the name of a blog, can equal the name of another post.
    for (let index = parts.length - 2; index >= 0; index -= 1) {
      const post = this.named(parts[index] ?? '');
      const file = post && posix.join(posix.dirname(post.path), ...parts.slice(index + 1));
      if (file !== undefined && this.media.has(file)) return file;
    }
    return undefined;
  }

  private named(name: string): PostFields | undefined {
    const slug = slugOf(withoutDate(name));
    return this.bySlug.get(name) ?? this.bySlug.get(slug) ?? this.byFileName.get(slug);
  }
}

/** Returns the name of a post in Hugo and Jekyll: `a-post` of `a-post/index.md` and of `2026-01-31-a-post.md`. */
function nameOf(path: string): string {
  const { dir, name } = posix.parse(path);
  return withoutDate(name.toLowerCase() === 'index' ? posix.basename(dir) : name);
}

const withoutDate = (name: string) => name.replace(/^\d{4}-\d{2}-\d{2}-/, '');
