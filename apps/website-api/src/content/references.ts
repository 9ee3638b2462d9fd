import type { Definition, Image, Link, Nodes, Parents } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { applyEdits, type Edit, type EditedText } from './edits.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { tidyRawHtml } from './raw-html.ts';

/** Where the links and images of a post lead. */
export interface ReferenceResolver {
  /** The address for a link, or undefined when it leads nowhere here, which has been reported. */
  link(reference: string, offset: number): string | undefined;
  /** The same for an image. */
  image(reference: string, offset: number): ResolvedImage;
  warn(offset: number, message: string): void;
}

/** An image of this site, one of another that is linked rather than shown, or none. */
export type ResolvedImage = { shown: string } | { linked: string } | undefined;

/**
 * Makes every link and image of a post lead where it leads on the site, and takes off what a page must not have. Only
 * those places of the text change.
 */
export function resolveReferences(body: string, resolver: ReferenceResolver): EditedText {
  return applyEdits(body, editsOf(parseMarkdown(body), body, resolver));
}

function editsOf(node: Nodes, body: string, resolver: ReferenceResolver): Edit[] {
  switch (node.type) {
    case 'link':
      return editLink(node, body, resolver);
    case 'image':
      return editImage(node, resolver);
    case 'definition':
      return editDefinition(node, resolver);
    case 'html': {
      const range = rangeOf(node);
      const written = body.slice(range.start, range.end);
      const text = tidyRawHtml(written, range.start, resolver);
      return text === written ? [] : [{ ...range, text }];
    }
    default:
      return 'children' in node ? editChildren(node, body, resolver) : [];
  }
}

function editChildren(node: Parents, body: string, resolver: ReferenceResolver): Edit[] {
  const edits: Edit[] = [];
  for (let index = 0; index < node.children.length; index += 1) {
    const child = node.children[index] as Nodes;
    const hidden =
      child.type === 'html' ? /^<(script|style|iframe|object|template)\b/i.exec(child.value) : null;
    const closing = hidden
      ? node.children.findIndex(
          (other, at) =>
            at > index &&
            other.type === 'html' &&
            other.value.toLowerCase() === `</${hidden[1]!.toLowerCase()}>`,
        )
      : -1;
    if (hidden && closing > index) {
      const start = rangeOf(child).start;
      resolver.warn(start, `raw HTML <${hidden[1]}> is not for a page here: it is left out`);
      edits.push({ start, end: rangeOf(node.children[closing] as Nodes).end, text: '' });
      index = closing;
    } else {
      edits.push(...editsOf(child, body, resolver));
    }
  }
  return edits;
}

function editLink(node: Link, body: string, resolver: ReferenceResolver): Edit[] {
  const range = rangeOf(node);
  const within = editChildren(node, body, resolver);
  const address = resolver.link(node.url, range.start);
  if (address === node.url) return within;
  const [first, last] = [node.children[0], node.children.at(-1)];
  const isWritten = body.slice(range.start, range.end).startsWith('[');
  const textRange =
    first && last && isWritten
      ? { start: rangeOf(first).start, end: rangeOf(last).end }
      : { start: 0, end: 0 };
  const text = isWritten
    ? applyEdits(
        body.slice(textRange.start, textRange.end),
        within.map((edit) => ({
          ...edit,
          start: edit.start - textRange.start,
          end: edit.end - textRange.start,
        })),
      ).text
    : toString(node);
  return [
    { ...range, text: address === undefined ? text : `[${text}](${destination(address, node.title)})` },
  ];
}

function editImage(node: Image, resolver: ReferenceResolver): Edit[] {
  const range = rangeOf(node);
  const resolved = resolver.image(node.url, range.start);
  const alternative = (node.alt ?? '').replace(/[[\]]/g, ' ').trim();
  if (resolved === undefined) return [{ ...range, text: alternative }];
  if ('linked' in resolved) {
    return [{ ...range, text: `[${alternative || 'Image'}](${destination(resolved.linked)})` }];
  }
  if (resolved.shown === node.url) return [];
  return [{ ...range, text: `![${alternative}](${destination(resolved.shown, node.title)})` }];
}

/** A definition may serve links and images; what leads nowhere leads to `#`, which the page shows without a link. */
function editDefinition(node: Definition, resolver: ReferenceResolver): Edit[] {
  const range = rangeOf(node);
  const address = resolver.link(node.url, range.start) ?? '#';
  if (address === node.url) return [];
  return [{ ...range, text: `[${node.label ?? node.identifier}]: ${destination(address, node.title)}` }];
}

function destination(address: string, title?: string | null): string {
  const written =
    /[\s()<>]/.test(address) || address === ''
      ? `<${address.replace(/[<>]/g, encodeURIComponent)}>`
      : address;
  return title ? `${written} "${title.replaceAll('"', '\\"')}"` : written;
}
