import { toString } from 'mdast-util-to-string';
import { excerpt } from './excerpt.ts';
import type { Findings } from './findings.ts';
import type { LinkTargets } from './link-targets.ts';
import { rangeOf } from './markdown.ts';
import { shortened } from './field-reader.ts';
import { MAX_TITLE_LENGTH, type ParsedPost, type PostFields } from './post-fields.ts';
import { readingMinutes } from './reading-time.ts';
import type { ImageSizes } from './present-html.ts';
import { renderPost } from './render-html.ts';
import { type ResolvedMarkdown, resolveReferences } from './resolve-references.ts';
import { withSiteUrl } from './site-placeholder.ts';
import { SiteReferenceResolver } from './site-reference-resolver.ts';
import { escapeTemplateTags } from './template-tags.ts';
import { type EditedText, lineAt } from './text-edits.ts';

/** A post to store, as markdown and as HTML. */
export interface PreparedPost extends Omit<PostFields, 'title' | 'summary' | 'image'> {
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

/** Resolves and renders a post. Returns undefined after an error. */
export function preparePost(
  { front, ...fields }: ParsedPost,
  targets: LinkTargets,
  sizes: ImageSizes,
  findings: Findings,
): PreparedPost | undefined {
  const { path } = fields;
  const body = front.body.toString();
  const line = (offset: number) => front.bodyLine - 1 + lineAt(body, offset);
  const escaped = escapeTemplateTags(body, (tag, offset) =>
    findings.warn(path, line(offset), `“${shortened(tag)}” is a tag of a site generator; left as text`),
  );
  const files = new Set<string>();
  const referencesOf = ({ originalOffset }: EditedText) =>
    new SiteReferenceResolver(path, targets, findings, (offset) => line(originalOffset(offset)), files);
  const resolved = resolveReferences(escaped, referencesOf);
  const { title, heading } = extractTitle(fields.title, resolved);
  if (title === undefined) {
    findings.error(path, 1, 'the title is missing; add for example “title: What XID 79 means”');
    return undefined;
  }
  if (heading && title.length > MAX_TITLE_LENGTH) {
    findings.error(
      path,
      line(resolved.originalOffset(heading.start)),
      `the heading used as the title has ${title.length} characters; the maximum is ${MAX_TITLE_LENGTH}`,
    );
  }
  const { tree, text } = resolved;
  return {
    ...fields,
    files,
    title,
    summary: fields.summary ?? excerpt(tree) ?? title,
    imagePath: imagePath(fields, targets, findings, files),
    readingMinutes: readingMinutes(toString(tree)),
    body: `${text.slice(heading?.end ?? 0).replace(/^\s*\n|\s+$/g, '')}\n`,
    html: renderPost(tree, sizes),
  };
}

/** Removes a leading heading from the tree if it is the title, and returns its range. */
function extractTitle(title: string | undefined, { tree }: ResolvedMarkdown) {
  const [first] = tree.children;
  const text =
    first?.type === 'heading' && first.depth === 1 ? toString(first).replace(/\s+/g, ' ').trim() : '';
  if (!first || text === '' || (title !== undefined && title !== text)) return { title, heading: undefined };
  tree.children.shift();
  return { title: text, heading: rangeOf(first) };
}

/** Link previews show no vector graphics. */
function imagePath(
  { path, image }: PostFields,
  targets: LinkTargets,
  findings: Findings,
  files: Set<string>,
): string | undefined {
  if (!image) return undefined;
  const references = new SiteReferenceResolver(path, targets, findings, () => image.line, files);
  const resolved = references.image(image.reference, 0);
  if (!resolved?.isShown) return undefined;
  if (!resolved.url.toLowerCase().endsWith('.svg')) return withSiteUrl(resolved.url, '');
  references.warn(0, 'link previews do not show SVG images; the image is not used. Add it as PNG or JPEG');
  return undefined;
}
