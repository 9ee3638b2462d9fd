import type { Heading, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { imageSize } from 'image-size';
import { type ContentFolder, type MediaFile, readContentFolder, type SourceFile } from './content-folder.ts';
import { lineAt } from './edits.ts';
import { Findings } from './findings.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { isImage } from './media-types.ts';
import { type PostFields, readPostFields } from './post-fields.ts';
import { resolveReferences } from './references.ts';
import { type ImageSize, type ImageSizes, renderHtml } from './render-html.ts';
import { resolveShortcodes } from './shortcodes.ts';
import { onSite } from './site-address.ts';
import { type LinkTargets, mediaAddress, SiteReferences } from './site-references.ts';
import { excerptOf, readingMinutes } from './words.ts';

/** A post as it is stored, in both forms that all others are made of. */
export interface PreparedPost extends Omit<PostFields, 'title' | 'summary' | 'image'> {
  title: string;
  summary: string;
  /** The path of the picture that stands for the post where it is shared. */
  imagePath: string | undefined;
  readingMinutes: number;
  /** Markdown, with shortcodes resolved and links that lead where the site has their targets. */
  body: string;
  /** The body as sanitised HTML. */
  html: string;
}

export interface PreparedContent {
  posts: PreparedPost[];
  media: MediaFile[];
}

/** A post whose head is read and whose body is not yet. */
interface Draft {
  path: string;
  front: FrontMatter;
  fields: PostFields;
}

/**
 * Reads a folder of posts and their files and makes of them what the site stores. It tells of everything that is wrong
 * in one go; with a fault among the findings the content is not to be used.
 */
export async function prepareContent(
  folder: string,
): Promise<{ content: PreparedContent; findings: Findings }> {
  const findings = new Findings();
  const { posts: sources, media } = await readContentFolder(folder, findings);
  const drafts = sources.flatMap((source) => readHead(source, findings));
  refuseTwins(drafts, findings);
  const targets = linkTargets(drafts, media);
  const sizes = imageSizes(media, findings);
  const posts = drafts.flatMap((draft) => preparePost(draft, targets, sizes, findings));
  return { content: { posts, media }, findings };
}

function readHead(source: SourceFile, findings: Findings): Draft[] {
  const front = readFrontMatter(source, findings);
  const fields = front && readPostFields(source.path, front, findings);
  return front && fields ? [{ path: source.path, front, fields }] : [];
}

/** Two posts of one address, or two names of one category or tag: one of them would be lost. */
function refuseTwins(drafts: Draft[], findings: Findings): void {
  const bySlug = new Map<string, string>();
  for (const { path, front, fields } of drafts) {
    const other = bySlug.get(fields.slug);
    const line = front.values.get('slug')?.line ?? 1;
    if (other !== undefined)
      findings.fault(path, line, `the slug “${fields.slug}” is already that of ${other}`);
    else bySlug.set(fields.slug, path);
  }
}

function linkTargets(drafts: Draft[], media: ContentFolder['media']): LinkTargets {
  return {
    slugs: new Map(drafts.map(({ path, fields }) => [path, fields.slug])),
    media: new Map(media.map(({ path, contentType }) => [path, contentType])),
  };
}

function imageSizes(media: MediaFile[], findings: Findings): ImageSizes {
  const sizes = new Map<string, ImageSize>();
  for (const { path, contentType, bytes } of media) {
    if (!isImage(contentType)) continue;
    try {
      const { width, height } = imageSize(bytes);
      sizes.set(mediaAddress(path), { width: Math.round(width), height: Math.round(height) });
    } catch {
      findings.fault(path, 1, `the file is not the image that its name says it is`);
    }
  }
  return sizes;
}

function preparePost(
  { path, front, fields }: Draft,
  targets: LinkTargets,
  sizes: ImageSizes,
  findings: Findings,
): PreparedPost[] {
  const line = (offset: number) => front.bodyLine - 1 + lineAt(front.body, offset);
  const references = new SiteReferences(path, targets, findings, line);
  const plain = resolveShortcodes(front.body, {
    value: (name) => front.values.get(name.toLowerCase())?.value,
    postPath: (reference) => references.postPath(reference),
    warn: (offset, message) => findings.warn(path, line(offset), message),
  });
  const resolving = new SiteReferences(path, targets, findings, (offset) =>
    line(plain.originalOffset(offset)),
  );
  const resolved = resolveReferences(plain.text, resolving).text;
  const { title, body } = takeTitle(fields.title, resolved);
  if (title === undefined) {
    findings.fault(path, 1, 'there is no title: add one such as “title: What XID 79 means”');
    return [];
  }
  const tree = parseMarkdown(body);
  const summary = fields.summary ?? excerptOf(tree) ?? title;
  return [
    {
      ...fields,
      title,
      summary,
      imagePath: imagePath(path, fields, targets, findings),
      readingMinutes: readingMinutes(toString(tree)),
      body,
      html: renderHtml(body, sizes),
    },
  ];
}

/** A first heading that is the title does not stand in the body a second time. */
function takeTitle(title: string | undefined, body: string): { title: string | undefined; body: string } {
  const heading = firstHeading(parseMarkdown(body));
  const text = heading && toString(heading);
  const isTitle = heading?.depth === 1 && (title === undefined || title === text);
  if (!heading || !isTitle) return { title, body: `${body.trim()}\n` };
  return { title: title ?? text, body: `${body.slice(rangeOf(heading).end).trim()}\n` };
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
): string | undefined {
  if (!image) return undefined;
  const resolved = new SiteReferences(path, targets, findings, () => image.line).image(image.reference, 0);
  return resolved && 'shown' in resolved ? onSite(resolved.shown, '') : undefined;
}
