import type { Element, ElementContent, Root as HtmlRoot } from 'hast';
import { toString } from 'hast-util-to-string';
import { SKIP, visit } from 'unist-util-visit';
import type { ImageSize } from './content-folder.ts';

/** Width of vector graphics, in pixels, above which phones scroll them instead of scaling them down. */
const DIAGRAM_WIDTH = 480;

/** Sizes of images by URL, because width and height attributes prevent layout shifts while images load. */
export type ImageSizes = ReadonlyMap<string, ImageSize>;

/** Changes sanitized HTML for its place in a page: heading levels, accessible names, figures, and room for wide content. */
export function present(tree: HtmlRoot, sizes: ImageSizes): void {
  normalizeHeadingLevels(tree);
  addPresentation(tree, sizes);
  wrapWideContent(tree, sizes);
}

/**
 * Moves headings down one level if the body contains an h1, because the page title is the only h1. Closes gaps between
 * levels, because screen readers navigate by level.
 */
function normalizeHeadingLevels(tree: HtmlRoot): void {
  const headings: Element[] = [];
  visit(tree, 'element', (node) => {
    if (/^h[1-6]$/.test(node.tagName) && node.properties['id'] !== 'footnote-label') headings.push(node);
  });
  const shift = headings.some(({ tagName }) => tagName === 'h1') ? 1 : 0;
  let previous = 1;
  for (const heading of headings) {
    const level = Math.min(6, Number(heading.tagName.slice(1)) + shift, previous + 1);
    heading.tagName = `h${level}`;
    previous = level;
  }
}

function addPresentation(tree: HtmlRoot, sizes: ImageSizes): void {
  visit(tree, 'element', (node, index, parent) => {
    if (!parent || index === undefined) return;
    switch (node.tagName) {
      case 'th':
        // An empty corner cell is not a header.
        if (node.children.length === 0) node.tagName = 'td';
        return;
      case 'pre':
        // Scrollable elements must be reachable by keyboard.
        node.properties['tabIndex'] = 0;
        node.properties['dataLanguage'] = languageOf(node);
        return;
      case 'input':
        node.properties['ariaLabel'] = node.properties['checked'] ? 'done' : 'to do';
        return;
      case 'a':
        // Keeps the text of a link without a target.
        if (node.properties['href'] === undefined || node.properties['href'] === '#') {
          parent.children.splice(index, 1, ...node.children);
          return index;
        }
        if (!hasAccessibleName(node)) {
          if (!node.children.some((child) => child.type === 'element')) {
            parent.children.splice(index, 1);
            return index;
          }
          node.properties['ariaLabel'] = 'Image';
        }
        return;
      case 'p': {
        const image = onlyImage(node);
        if (!image || (!image.properties['title'] && !isDiagram(image, sizes))) return;
        parent.children[index] = figure(image);
        return index;
      }
      case 'img':
        Object.assign(node.properties, sizes.get(String(node.properties['src'])), {
          alt: node.properties['alt'] ?? '',
          loading: 'lazy',
          decoding: 'async',
        });
        return;
    }
    return;
  });
}

/** Returns the language of a code block as shown to readers; undefined for plain text. */
function languageOf({ children }: Element): string | undefined {
  const code = children.find((child) => child.type === 'element' && child.tagName === 'code') as
    Element | undefined;
  const names = (code?.properties['className'] ?? []) as string[];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length);
  return language === 'text' ? undefined : language;
}

/**
 * Wraps content that may be wider than the text. Tables and diagrams become scrollable regions, code blocks get room for
 * the copy button. Must run last, because it stops the traversal at these elements.
 */
function wrapWideContent(tree: HtmlRoot, sizes: ImageSizes): void {
  const counts = { Table: 0, Figure: 0 };
  const region = (content: Element, className: string, kind: keyof typeof counts): Element => {
    counts[kind] += 1;
    const ariaLabel = `${kind} ${counts[kind]}`;
    return wrapper(content, { className: [className], tabIndex: 0, role: 'region', ariaLabel });
  };
  visit(tree, 'element', (node, index, parent) => {
    if (!parent || index === undefined) return;
    if (node.tagName === 'pre') parent.children[index] = wrapper(node, { className: ['code'] });
    else if (node.tagName === 'table') parent.children[index] = region(node, 'table', 'Table');
    else if (isFigure(parent) && isDiagram(node, sizes))
      parent.children[index] = region(node, 'diagram', 'Figure');
    else return;
    return SKIP;
  });
}

const wrapper = (content: Element, properties: Element['properties']): Element => ({
  type: 'element',
  tagName: 'div',
  properties,
  children: [content],
});

const isFigure = (node: HtmlRoot | Element) => node.type === 'element' && node.tagName === 'figure';

/** Returns whether an image is a vector graphic that would be illegible at the width of a phone. */
function isDiagram({ tagName, properties }: Element, sizes: ImageSizes): boolean {
  const source = String(properties['src']);
  return tagName === 'img' && source.endsWith('.svg') && (sizes.get(source)?.width ?? 0) >= DIAGRAM_WIDTH;
}

/** Returns whether a link has text, a label or an image with alt text. */
function hasAccessibleName(link: Element): boolean {
  let hasLabel = toString(link).trim() !== '' || link.properties['ariaLabel'] !== undefined;
  visit(link, 'element', ({ properties }) => {
    hasLabel ||= typeof properties['alt'] === 'string' && properties['alt'].trim() !== '';
  });
  return hasLabel;
}

const onlyImage = ({ children }: Element): Element | undefined => {
  const [only] = children;
  return children.length === 1 && only?.type === 'element' && only.tagName === 'img' ? only : undefined;
};

/** Turns an image that is alone in its paragraph into a figure. Its title becomes the caption. */
function figure(image: Element): Element {
  const { title, ...properties } = image.properties;
  const caption: ElementContent[] =
    typeof title === 'string'
      ? [
          {
            type: 'element',
            tagName: 'figcaption',
            properties: {},
            children: [{ type: 'text', value: title }],
          },
        ]
      : [];
  return {
    type: 'element',
    tagName: 'figure',
    properties: {},
    children: [{ ...image, properties }, ...caption],
  };
}
