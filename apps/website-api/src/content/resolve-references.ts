import type { Definition, Image, Link, Nodes, Parents } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { applyEdits, type Edit, type EditedText } from './text-edits.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { cleanRawHtml } from './raw-html.ts';
import type { ReferenceResolver } from './reference-resolver.ts';

/** Replaces the targets of links and images in a post with URLs, and removes disallowed raw HTML. */
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
      const source = body.slice(range.start, range.end);
      const text = cleanRawHtml(source, range.start, resolver);
      return text === source ? [] : [{ ...range, text }];
    }
    default:
      return 'children' in node ? editChildren(node, body, resolver) : [];
  }
}

function editChildren(node: Parents, body: string, resolver: ReferenceResolver): Edit[] {
  const edits: Edit[] = [];
  for (let index = 0; index < node.children.length; index += 1) {
    const child = node.children[index] as Nodes;
    const nonText =
      child.type === 'html' ? /^<(script|style|iframe|object|template)\b/i.exec(child.value) : null;
    const closing = nonText
      ? node.children.findIndex(
          (other, at) =>
            at > index &&
            other.type === 'html' &&
            other.value.toLowerCase() === `</${nonText[1]!.toLowerCase()}>`,
        )
      : -1;
    if (nonText && closing > index) {
      const start = rangeOf(child).start;
      resolver.warn(start, `raw HTML <${nonText[1]}> is not allowed; removed`);
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
  const hasText = body.slice(range.start, range.end).startsWith('[');
  const textRange =
    first && last && hasText ? { start: rangeOf(first).start, end: rangeOf(last).end } : { start: 0, end: 0 };
  const text = hasText
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
  const altText = (node.alt ?? '').replace(/[[\]]/g, ' ').trim();
  if (resolved === undefined) return [{ ...range, text: altText }];
  if ('linked' in resolved) {
    return [{ ...range, text: `[${altText || 'Image'}](${destination(resolved.linked)})` }];
  }
  if (resolved.shown === node.url) return [];
  return [{ ...range, text: `![${altText}](${destination(resolved.shown, node.title)})` }];
}

/** An unresolved definition gets the URL `#`, which the HTML shows as text without a link. */
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
