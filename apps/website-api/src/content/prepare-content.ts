import { readContentFolder, type ContentFolder, type SourceFile } from './content-folder.ts';
import { type Finding, Findings } from './findings.ts';
import { readFrontMatter } from './front-matter.ts';
import { LinkTargets } from './link-targets.ts';
import { type ParsedPost, readPostFields } from './post-fields.ts';
import { preparePost, type PreparedPost } from './prepare-post.ts';
import { type MediaUser, type PublishedFile, publishedFiles } from './published-files.ts';
import { mediaUrl } from './site-reference-resolver.ts';

export interface PreparedContent {
  /** Includes drafts. */
  posts: ParsedPost[];
  /** Prepares one post at a time, because all of them together need several times the memory of their markdown. */
  prepare(): Iterable<PreparedPost>;
  /** Returns the files to serve. They depend on the references in the posts, so all posts must be prepared before. */
  media(): PublishedFile[];
}

export interface PrepareOptions {
  /** URL of the site from which the content was moved. Its internal links lead to the new URLs. */
  oldSite?: URL | undefined;
  /** Omits files with errors instead of reporting the errors in the findings. */
  skipInvalid?: boolean | undefined;
}

interface Preparation {
  content: PreparedContent;
  /** Has all errors. Warnings about bodies are added when the posts are prepared. */
  findings: Findings;
  /** Errors of the files that `skipInvalid` omitted. */
  skipped: Finding[];
}

/**
 * Reads a folder of posts and media and checks them for storage. Reports all problems at once. If the findings contain
 * an error, the content must not be stored.
 */
export async function prepareContent(
  folder: string,
  { oldSite, skipInvalid = false }: PrepareOptions = {},
): Promise<Preparation> {
  const reading = new Findings();
  let files = await readContentFolder(folder, reading);
  const skipped = skipInvalid ? reading.errors : [];
  // Without a file, links to it are dead and its slug is free, so the rest is checked again.
  for (;;) {
    const findings = new Findings();
    if (!skipInvalid) findings.errors.push(...reading.errors);
    const content = checkFiles(files, oldSite, findings);
    if (!skipInvalid || findings.errors.length === 0) return { content, findings, skipped };
    skipped.push(...findings.errors);
    const invalid = new Set(findings.errors.map(({ file }) => file));
    files = { posts: files.posts.filter(({ path }) => !invalid.has(path)), media: files.media };
  }
}

function checkFiles(
  { posts: sources, media }: ContentFolder,
  oldSite: URL | undefined,
  findings: Findings,
): PreparedContent {
  const parsed = sources.flatMap((source) => parsePost(source, findings));
  rejectDuplicateSlugs(parsed, findings);
  warnOfIneffectiveRedirects(parsed, findings);
  const [all, complete] = [parsed, parsed.filter(({ draft }) => !draft)].map(
    (posts) => new LinkTargets(posts, media, oldSite),
  ) as [LinkTargets, LinkTargets];
  const sizes = new Map(media.flatMap(({ path, size }) => (size ? [[mediaUrl(path), size]] : [])));
  const prepare = (post: ParsedPost, reported: Findings) =>
    preparePost(post, post.draft ? all : complete, sizes, reported);

  // The only errors in a body are those of a heading used as the title.
  const posts = parsed.filter((post) => {
    if (post.title !== undefined) return true;
    const reported = new Findings();
    prepare(post, reported);
    findings.errors.push(...reported.errors);
    return reported.errors.length === 0;
  });
  const users: MediaUser[] = [];
  return {
    posts,
    *prepare() {
      for (const post of posts) {
        const prepared = prepare(post, findings);
        if (!prepared) continue;
        const { path, files, draft, publishedAt } = prepared;
        users.push({ path, files, draft, publishedAt });
        yield prepared;
      }
    },
    media: () => publishedFiles(media, users),
  };
}

function parsePost(source: SourceFile, findings: Findings): ParsedPost[] {
  const front = readFrontMatter(source, findings);
  const fields = front && readPostFields(source.path, front, findings);
  return front && fields ? [{ ...fields, front }] : [];
}

/** Two posts with the same slug would have the same URL. */
function rejectDuplicateSlugs(posts: ParsedPost[], findings: Findings): void {
  const bySlug = new Map<string, string>();
  for (const { path, front, slug } of posts) {
    const other = bySlug.get(slug);
    const line = front.values.get('slug')?.line ?? 1;
    if (other !== undefined) findings.error(path, line, `the slug “${slug}” is also the slug of ${other}`);
    else bySlug.set(slug, path);
  }
}

/** A page takes precedence over a redirect, and the first of several redirects from one path is used. */
function warnOfIneffectiveRedirects(posts: ParsedPost[], findings: Findings): void {
  const used = new Map(posts.map(({ path, slug }) => [`/blog/${slug}`, path]));
  for (const { path, formerPaths } of posts) {
    for (const former of formerPaths) {
      const other = used.get(former) ?? path;
      if (other === path) used.set(former, path);
      else findings.warn(path, 1, `“${former}” leads to ${other}; it does not redirect to this post`);
    }
  }
}
