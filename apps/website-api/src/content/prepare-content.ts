import type { Heading, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { imageSize } from 'image-size';
import { type MediaFile, readContentFolder, type SourceFile } from './content-folder.ts';
import { lineAt } from './edits.ts';
import { Findings } from './findings.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { isImage } from './media-types.ts';
import { MAX_TITLE_LENGTH, type PostFields, readPostFields } from './post-fields.ts';
import { type PublishedFile, publishedFiles } from './published-files.ts';
import { resolveReferences } from './references.ts';
import { type ImageSize, type ImageSizes, renderHtml } from './render-html.ts';
import { resolveShortcodes } from './shortcodes.ts';
import { onSite } from './site-address.ts';
import { type LinkTargets, mediaAddress, SiteReferences } from './site-references.ts';
import { excerptOf, readingMinutes } from './words.ts';

/** A post as it is stored, in both forms that all others are made of. */
export interface PreparedPost extends Omit<PostFields, 'title' | 'summary' | 'image'> {
  /** Of its file, relative to the content folder. */
  path: string;
  title: string;
  summary: string;
  /** The path of the picture that stands for the post where it is shared. */
  imagePath: string | undefined;
  /** Paths of the media that it refers to. */
  files: ReadonlySet<string>;
  readingMinutes: number;
  /** Markdown, with shortcodes resolved and links that lead where the site has their targets. */
  body: string;
  /** The body as sanitised HTML. */
  html: string;
}

export interface PreparedContent {
  /** Drafts among them, which are not for publishing. */
  posts: PreparedPost[];
  media: PublishedFile[];
}

/** A post whose head is read and whose body is not yet. */
interface UnpreparedPost {
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
  const heads = sources.flatMap((source) => readHead(source, findings));
  refuseTwins(heads, findings);
  const targets = linkTargets(heads, media);
  const published = linkTargets(
    heads.filter(({ fields }) => !fields.draft),
    media,
  );
  const sizes = imageSizes(media, findings);
  const posts = heads.flatMap((head) =>
    preparePost(head, head.fields.draft ? targets : published, sizes, findings),
  );
  return { content: { posts, media: publishedFiles(media, posts) }, findings };
}

function readHead(source: SourceFile, findings: Findings): UnpreparedPost[] {
  const front = readFrontMatter(source, findings);
  const fields = front && readPostFields(source.path, front, findings);
  return front && fields ? [{ path: source.path, front, fields }] : [];
}

/** Two posts of one address, or two names of one category or tag: one of them would be lost. */
function refuseTwins(heads: UnpreparedPost[], findings: Findings): void {
  const bySlug = new Map<string, string>();
  for (const { path, front, fields } of heads) {
    const other = bySlug.get(fields.slug);
    const line = front.values.get('slug')?.line ?? 1;
    if (other !== undefined)
      findings.fault(path, line, `the slug “${fields.slug}” is already that of ${other}`);
    else bySlug.set(fields.slug, path);
  }
}

function linkTargets(heads: UnpreparedPost[], media: MediaFile[]): LinkTargets {
  const terms = heads.flatMap(({ fields: { category, tags } }) => [
    ...(category ? [`category/${category.slug}`] : []),
    ...tags.map(({ slug }) => `tag/${slug}`),
  ]);
  return {
    slugs: new Map(heads.map(({ path, fields }) => [path, fields.slug])),
    terms: new Set(terms),
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
  { path, front, fields }: UnpreparedPost,
  targets: LinkTargets,
  sizes: ImageSizes,
  findings: Findings,
): PreparedPost[] {
  const line = (offset: number) => front.bodyLine - 1 + lineAt(front.body, offset);
  const files = new Set<string>();
  const references = new SiteReferences(path, targets, findings, line, files);
  const plain = resolveShortcodes(front.body, {
    value: (name) => front.values.get(name.toLowerCase())?.value,
    postPath: (reference) => references.postPath(reference),
    warn: (offset, message) => findings.warn(path, line(offset), message),
  });
  const plainLine = (offset: number) => line(plain.originalOffset(offset));
  const resolving = new SiteReferences(path, targets, findings, plainLine, files);
  const resolved = resolveReferences(plain.text, resolving);
  const { title, titleAt, body } = takeTitle(fields.title, resolved.text);
  if (title === undefined) {
    findings.fault(path, 1, 'there is no title: add one such as “title: What XID 79 means”');
    return [];
  }
  if (titleAt !== undefined && title.length > MAX_TITLE_LENGTH) {
    findings.fault(
      path,
      plainLine(resolved.originalOffset(titleAt)),
      `the heading that is the title has ${title.length} characters; at most ${MAX_TITLE_LENGTH} fit`,
    );
  }
  const tree = parseMarkdown(body);
  const summary = fields.summary ?? excerptOf(tree) ?? title;
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

interface TitledBody {
  title: string | undefined;
  /** The offset of the heading that is the title. */
  titleAt?: number;
  body: string;
}

/** A first heading that is the title does not stand in the body a second time. */
function takeTitle(title: string | undefined, body: string): TitledBody {
  const heading = firstHeading(parseMarkdown(body));
  const text = heading && toString(heading).replace(/\s+/g, ' ').trim();
  const isTitle = heading?.depth === 1 && text !== '' && (title === undefined || title === text);
  if (!heading || !isTitle) return { title, body: `${body.trim()}\n` };
  const { start, end } = rangeOf(heading);
  return { title: text, titleAt: start, body: `${body.slice(end).trim()}\n` };
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
  const references = new SiteReferences(path, targets, findings, () => image.line, files);
  const resolved = references.image(image.reference, 0);
  return resolved && 'shown' in resolved ? onSite(resolved.shown, '') : undefined;
}
