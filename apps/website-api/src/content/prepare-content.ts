import type { Heading, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { imageSize } from 'image-size';
import { type ContentFolder, type MediaFile, readContentFolder, type SourceFile } from './content-folder.ts';
import { lineAt } from './text-edits.ts';
import { excerpt } from './excerpt.ts';
import { type Finding, Findings } from './findings.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { LinkTargets } from './link-targets.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { isImage } from './media-types.ts';
import { MAX_TITLE_LENGTH, type PostFields, readPostFields, shortened } from './post-fields.ts';
import { type PublishedFile, publishedFiles } from './published-files.ts';
import { resolveReferences } from './resolve-references.ts';
import { type ImageSize, type ImageSizes, renderHtml } from './render-html.ts';
import { withSiteUrl } from './site-placeholder.ts';
import { mediaUrl, SiteReferenceResolver } from './site-reference-resolver.ts';
import { readingMinutes } from './reading-time.ts';
import { escapeTemplateTags } from './template-tags.ts';

/** A post to store, as markdown and as HTML. */
export interface PreparedPost extends Omit<PostFields, 'title' | 'summary' | 'image'> {
  /** Path of its file, relative to the content folder. */
  path: string;
  title: string;
  summary: string;
  /** URL path of the Open Graph image. */
  imagePath: string | undefined;
  /** Paths of the media that the post refers to. */
  files: ReadonlySet<string>;
  readingMinutes: number;
  /** Markdown with links resolved to URLs of the site. */
  body: string;
  /** The body as sanitized HTML. */
  html: string;
}

export interface PreparedContent {
  /** Includes drafts. */
  posts: PreparedPost[];
  media: PublishedFile[];
}

/** A post with parsed front matter and unprocessed body. */
interface ParsedPost {
  path: string;
  front: FrontMatter;
  fields: PostFields;
}

export interface PrepareOptions {
  /** URL of the site from which the content was moved. Its internal links lead to the new URLs. */
  oldSite?: URL | undefined;
  /** Omits files with errors instead of reporting the errors in the findings. */
  skipInvalid?: boolean | undefined;
}

interface Preparation {
  content: PreparedContent;
  findings: Findings;
  /** Errors of the files that `skipInvalid` omitted. */
  skipped: Finding[];
}

/**
 * Reads a folder of posts and media and prepares them for storage. Reports all problems at once. If the findings contain
 * an error, the content must not be stored.
 */
export async function prepareContent(
  folder: string,
  { oldSite, skipInvalid = false }: PrepareOptions = {},
): Promise<Preparation> {
  const reading = new Findings();
  let files = await readContentFolder(folder, reading);
  const skipped = skipInvalid ? reading.errors : [];
  // Without a file, links to it are dead and its slug is free, so the rest is prepared again.
  for (;;) {
    const findings = new Findings();
    if (!skipInvalid) findings.errors.push(...reading.errors);
    const content = prepareFiles(files, oldSite, findings);
    if (!skipInvalid || findings.errors.length === 0) return { content, findings, skipped };
    skipped.push(...findings.errors);
    const invalid = new Set(findings.errors.map(({ file }) => file));
    const isValid = ({ path }: { path: string }) => !invalid.has(path);
    files = { posts: files.posts.filter(isValid), media: files.media.filter(isValid) };
  }
}

function prepareFiles(
  { posts: sources, media }: ContentFolder,
  oldSite: URL | undefined,
  findings: Findings,
): PreparedContent {
  const parsed = sources.flatMap((source) => parsePost(source, findings));
  rejectDuplicateSlugs(parsed, findings);
  warnOfIneffectiveRedirects(parsed, findings);
  const allTargets = linkTargets(parsed, media, oldSite);
  const publicTargets = linkTargets(
    parsed.filter(({ fields }) => !fields.draft),
    media,
    oldSite,
  );
  const sizes = imageSizes(media, findings);
  const posts = parsed.flatMap((post) =>
    preparePost(post, post.fields.draft ? allTargets : publicTargets, sizes, findings),
  );
  return { posts, media: publishedFiles(media, posts) };
}

function parsePost(source: SourceFile, findings: Findings): ParsedPost[] {
  const front = readFrontMatter(source, findings);
  const fields = front && readPostFields(source.path, front, findings);
  return front && fields ? [{ path: source.path, front, fields }] : [];
}

/** Two posts with the same slug would have the same URL. */
function rejectDuplicateSlugs(posts: ParsedPost[], findings: Findings): void {
  const bySlug = new Map<string, string>();
  for (const { path, front, fields } of posts) {
    const other = bySlug.get(fields.slug);
    const line = front.values.get('slug')?.line ?? 1;
    if (other !== undefined)
      findings.error(path, line, `the slug “${fields.slug}” is also the slug of ${other}`);
    else bySlug.set(fields.slug, path);
  }
}

/** A page takes precedence over a redirect, and the first of several redirects from one path is used. */
function warnOfIneffectiveRedirects(posts: ParsedPost[], findings: Findings): void {
  const used = new Map(posts.map(({ path, fields }) => [`/blog/${fields.slug}`, path]));
  for (const { path, fields } of posts) {
    for (const former of fields.formerPaths) {
      const other = used.get(former) ?? path;
      if (other === path) used.set(former, path);
      else findings.warn(path, 1, `“${former}” leads to ${other}; it does not redirect to this post`);
    }
  }
}

function linkTargets(posts: ParsedPost[], media: MediaFile[], oldSite: URL | undefined): LinkTargets {
  const linked = posts.map(({ path, fields }) => ({ path, ...fields }));
  return new LinkTargets(linked, media, oldSite);
}

function imageSizes(media: MediaFile[], findings: Findings): ImageSizes {
  const sizes = new Map<string, ImageSize>();
  for (const { path, contentType, bytes } of media) {
    if (!isImage(contentType)) continue;
    try {
      const { width, height } = imageSize(bytes);
      sizes.set(mediaUrl(path), { width: Math.round(width), height: Math.round(height) });
    } catch {
      findings.error(path, 1, 'the file is not a valid image of the type in its name');
    }
  }
  return sizes;
}

function preparePost(
  { path, front, fields }: ParsedPost,
  targets: LinkTargets,
  sizes: ImageSizes,
  findings: Findings,
): PreparedPost[] {
  const line = (offset: number) => front.bodyLine - 1 + lineAt(front.body, offset);
  const escaped = escapeTemplateTags(front.body, (tag, offset) =>
    findings.warn(path, line(offset), `“${shortened(tag)}” is a tag of a site generator; left as text`),
  );
  const escapedLine = (offset: number) => line(escaped.originalOffset(offset));
  const files = new Set<string>();
  const references = new SiteReferenceResolver(path, targets, findings, escapedLine, files);
  const resolved = resolveReferences(escaped.text, references);
  const { title, titleOffset, body } = extractTitle(fields.title, resolved.text);
  if (title === undefined) {
    findings.error(path, 1, 'the title is missing; add for example “title: What XID 79 means”');
    return [];
  }
  if (titleOffset !== undefined && title.length > MAX_TITLE_LENGTH) {
    findings.error(
      path,
      escapedLine(resolved.originalOffset(titleOffset)),
      `the heading used as the title has ${title.length} characters; the maximum is ${MAX_TITLE_LENGTH}`,
    );
  }
  const tree = parseMarkdown(body);
  const summary = fields.summary ?? excerpt(tree) ?? title;
  return [
    {
      ...fields,
      path,
      files,
      title,
      summary,
      imagePath: imagePath(path, fields, targets, findings, files),
      readingMinutes: readingMinutes(toString(tree)),
      body,
      html: renderHtml(body, sizes),
    },
  ];
}

interface ExtractedTitle {
  title: string | undefined;
  /** Offset of the heading used as the title. */
  titleOffset?: number;
  body: string;
}

/** Removes a leading heading from the body if it is the title. */
function extractTitle(title: string | undefined, body: string): ExtractedTitle {
  const heading = firstHeading(parseMarkdown(body));
  const text = heading && toString(heading).replace(/\s+/g, ' ').trim();
  const isTitle = heading?.depth === 1 && text !== '' && (title === undefined || title === text);
  if (!heading || !isTitle) return { title, body: `${body.trim()}\n` };
  const { start, end } = rangeOf(heading);
  return { title: text, titleOffset: start, body: `${body.slice(end).trim()}\n` };
}

function firstHeading({ children }: Root): Heading | undefined {
  const [first] = children;
  return first?.type === 'heading' ? first : undefined;
}

function imagePath(
  path: string,
  { image }: PostFields,
  targets: LinkTargets,
  findings: Findings,
  files: Set<string>,
): string | undefined {
  if (!image) return undefined;
  const references = new SiteReferenceResolver(path, targets, findings, () => image.line, files);
  const resolved = references.image(image.reference, 0);
  return resolved && 'shown' in resolved ? withSiteUrl(resolved.shown, '') : undefined;
}
