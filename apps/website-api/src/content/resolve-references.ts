import type { Definition, Html, Image, ImageReference, Link, Nodes, Parents, Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';
import { escapeMarkdown, parseMarkdown, rangeOf } from './markdown.ts';
import { RawHtml } from './raw-html.ts';
import type { ResolvedImage, SiteReferenceResolver } from './site-reference-resolver.ts';
import { applyEdits, type Edit, type EditedText } from './text-edits.ts';

/** In a paragraph, the tags of an element are separate nodes. */
const CLOSED_NON_TEXT = /^<(script|style|iframe|template)\b[\s\S]*?<\/\1\s*>/i;

export interface ResolvedMarkdown extends EditedText {
  tree: Root;
}

/**
 * Replaces the targets of links and images in a post with URLs, and removes disallowed raw HTML. The text after removed
 * HTML becomes markdown, so this is repeated until nothing changes.
 *
 * @param resolverOf returns a resolver for the offsets of an edited text
 */
export function resolveReferences(
  source: EditedText,
  resolverOf: (edited: EditedText) => SiteReferenceResolver,
): ResolvedMarkdown {
  for (let resolved = source; ;) {
    const { text, originalOffset } = resolved;
    const tree = parseMarkdown(text);
    const edited = applyEdits(text, new ReferenceEdits(tree, text, resolverOf(resolved)).of(tree));
    if (edited.text === text) return { ...resolved, tree };
    resolved = {
      text: edited.text,
      originalOffset: (offset) => originalOffset(edited.originalOffset(offset)),
    };
  }
}

/** Edits that resolve the references of a tree. */
class ReferenceEdits {
  private readonly html: RawHtml;
  /** Images by the identifier of their definition. */
  private readonly definedImages = new Map<string, ResolvedImage | undefined>();

  constructor(
    tree: Root,
    private readonly body: string,
    private readonly resolver: SiteReferenceResolver,
  ) {
    this.html = new RawHtml(resolver);
    const identifiers = new Set<string>();
    visit(tree, 'imageReference', ({ identifier }) => void identifiers.add(identifier));
    visit(tree, 'definition', (node) => {
      // The first one of an identifier is used.
      if (identifiers.delete(node.identifier))
        this.definedImages.set(node.identifier, resolver.image(node.url, rangeOf(node).start));
    });
  }

  of(node: Nodes): Edit[] {
    switch (node.type) {
      case 'link':
        return this.editLink(node);
      case 'linkReference':
        return this.editLinkText(node);
      case 'image':
        return this.editImage(node, this.resolver.image(node.url, rangeOf(node).start));
      case 'imageReference':
        return this.editImage(node, this.definedImages.get(node.identifier));
      case 'definition':
        return this.editDefinition(node);
      case 'html':
        return this.editHtml(node);
      default:
        return 'children' in node ? this.editChildren(node) : [];
    }
  }

  private editChildren(parent: Parents): Edit[] {
    const edits: Edit[] = [];
    let removedUntil = 0;
    for (const child of parent.children) {
      const { start } = rangeOf(child);
      if (start < removedUntil) continue;
      const following = child.type === 'html' ? this.body.slice(start, rangeOf(parent).end) : '';
      const [removed, name] = CLOSED_NON_TEXT.exec(following) ?? [];
      if (removed === undefined) {
        edits.push(...this.of(child));
        continue;
      }
      this.resolver.warn(start, `raw HTML <${name}> is not allowed; removed`);
      removedUntil = start + removed.length;
      edits.push({ start, end: removedUntil, text: '' });
    }
    return edits;
  }

  private editHtml(node: Html): Edit[] {
    let { start, end } = rangeOf(node);
    const cleaned = this.html.clean(node.value, start);
    if (cleaned === node.value) return [];
    const [lines, cleanedLines] = [node.value.split('\n'), cleaned.split('\n')];
    const sources = this.body.slice(start, end).split('\n');
    // In a quote or a list, the lines of the source have a prefix.
    const prefix = (sources[1] ?? '').slice(0, (sources[1] ?? '').length - (lines[1] ?? '').length);
    if (lines.length !== cleanedLines.length) return [{ start, end, text: cleanedLines.join(`\n${prefix}`) }];
    return sources.map((source, index) => {
      end = start + source.length;
      const edit = { start: end - (lines[index] ?? '').length, end, text: cleanedLines[index] ?? '' };
      start = end + 1;
      return edit;
    });
  }

  private editLinkText(node: Parents): Edit[] {
    const outside = this.html.insideLink;
    this.html.insideLink = true;
    const edits = this.editChildren(node);
    this.html.insideLink = outside;
    return edits;
  }

  private editLink(node: Link): Edit[] {
    const { start, end } = rangeOf(node);
    const address = this.resolver.link(node.url, start);
    const within = address === undefined ? this.editChildren(node) : this.editLinkText(node);
    if (address === node.url) return within;
    const [opening, closing] =
      address === undefined ? ['', ''] : ['[', `](${destination(address, node.title)})`];
    if (!this.body.startsWith('[', start))
      return [{ start, end, text: `${opening}${escapeMarkdown(toString(node))}${closing}` }];
    const [first, last = first] = [node.children[0], node.children.at(-1)];
    const text = {
      start: first ? rangeOf(first).start : start + 1,
      end: last ? rangeOf(last).end : start + 1,
    };
    return [{ start, end: text.start, text: opening }, ...within, { start: text.end, end, text: closing }];
  }

  private editImage(node: Image | ImageReference, image: ResolvedImage | undefined): Edit[] {
    const range = rangeOf(node);
    const alt = escapeMarkdown((node.alt ?? '').replace(/\s+/g, ' ').trim());
    if (!image) return [{ ...range, text: alt }];
    if (!image.isShown) {
      const text = alt || 'Image';
      return [{ ...range, text: this.html.insideLink ? text : `[${text}](${destination(image.url)})` }];
    }
    // The definition of a reference is edited instead.
    if (node.type === 'imageReference' || image.url === node.url) return [];
    return [{ ...range, text: `![${alt}](${destination(image.url, node.title)})` }];
  }

  /** An unresolved definition gets the URL `#`, which the HTML shows as text without a link. */
  private editDefinition(node: Definition): Edit[] {
    const range = rangeOf(node);
    const address = this.definedImages.has(node.identifier)
      ? this.definedImages.get(node.identifier)?.url
      : this.resolver.link(node.url, range.start);
    if (address === node.url) return [];
    const url = destination(address ?? '#', node.title);
    return [{ ...range, text: `[${node.label ?? node.identifier}]: ${url}` }];
  }
}

function destination(address: string, title?: string | null): string {
  const written =
    /[\s()<>]/.test(address) || address === ''
      ? `<${address.replace(/[<>]/g, encodeURIComponent)}>`
      : address;
  return title ? `${written} "${title.replaceAll('"', '\\"')}"` : written;
}
