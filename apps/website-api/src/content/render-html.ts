import type { Element, ElementContent, Root as HtmlRoot } from 'hast';
import { toString } from 'hast-util-to-string';
import { common } from 'lowlight';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeHighlight from 'rehype-highlight';
import rehypeRaw from 'rehype-raw';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import nginx from 'highlight.js/lib/languages/nginx';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import console from 'highlight.js/lib/languages/shell';
import { attributeLists } from './attribute-lists.ts';
import { callouts } from './callouts.ts';
import { parseMarkdown } from './markdown.ts';
import { sanitizer } from './sanitize.ts';

/** What authors name `shell` is a script; a session with its prompts is `console`. */
const { shell: _session, ...others } = common;
const languages = { ...others, console, dockerfile, nginx, powershell, protobuf };

/** Width and height in pixels, so that a page does not jump when its images arrive. */
export interface ImageSize {
  width: number;
  height: number;
}

/** The size of an image of this site by the path it is shown from, where it is known. */
export type ImageSizes = ReadonlyMap<string, ImageSize>;

/**
 * The HTML of a post’s body. Sanitised after everything that an author wrote is in it and before what is added here:
 * colours for code as classes, places to jump to, room to scroll for wide tables.
 */
export function renderHtml(body: string, sizes: ImageSizes): string {
  const processor = unified()
    .use(() => (tree: MarkdownRoot) => {
      attributeLists(tree);
      callouts(tree);
    })
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw)
    .use(...sanitizer)
    .use(rehypeSlug)
    .use(rehypeHighlight, { languages, aliases: { bash: 'shell' } })
    .use(() => (tree: HtmlRoot) => {
      orderHeadings(tree);
      furnish(tree, sizes);
      letTablesScroll(tree);
    })
    .use(rehypeStringify);
  return processor.stringify(processor.runSync(parseMarkdown(body)) as HtmlRoot);
}

/**
 * The page has the title as its one first heading: a body that begins at that level is moved down by one, and no level
 * is left out on the way down, since a screen reader walks them like stairs.
 */
function orderHeadings(tree: HtmlRoot): void {
  const headings: Element[] = [];
  visit(tree, 'element', (node) => {
    if (/^h[1-6]$/.test(node.tagName) && node.properties['id'] !== 'footnote-label') headings.push(node);
  });
  const down = headings.some(({ tagName }) => tagName === 'h1') ? 1 : 0;
  let above = 1;
  for (const heading of headings) {
    const level = Math.min(6, Number(heading.tagName.slice(1)) + down, above + 1);
    heading.tagName = `h${level}`;
    above = level;
  }
}

function furnish(tree: HtmlRoot, sizes: ImageSizes): void {
  visit(tree, 'element', (node, index, parent) => {
    if (!parent || index === undefined) return;
    switch (node.tagName) {
      case 'th':
        // The corner of a table is no head of anything.
        if (node.children.length === 0) node.tagName = 'td';
        return;
      case 'pre':
        // What scrolls must be reached by the keyboard.
        node.properties['tabIndex'] = 0;
        node.properties['dataLanguage'] = languageOf(node);
        return;
      case 'input':
        node.properties['ariaLabel'] = node.properties['checked'] ? 'done' : 'to do';
        return;
      case 'a':
        // An address that leads nowhere: the words stay.
        if (node.properties['href'] === undefined || node.properties['href'] === '#') {
          parent.children.splice(index, 1, ...node.children);
          return index;
        }
        if (!hasName(node)) {
          if (!node.children.some((child) => child.type === 'element')) {
            parent.children.splice(index, 1);
            return index;
          }
          node.properties['ariaLabel'] = 'Image';
        }
        return;
      case 'p': {
        const image = onlyImage(node);
        if (!image?.properties['title']) return;
        parent.children[index] = figure(image);
        return index;
      }
      case 'img':
        Object.assign(node.properties, sizes.get(String(node.properties['src'])) ?? {}, {
          alt: node.properties['alt'] ?? '',
          loading: 'lazy',
          decoding: 'async',
        });
        return;
    }
    return;
  });
}

/** What the author named after the fence, for readers to see; nobody names a text a text. */
function languageOf({ children }: Element): string | undefined {
  const code = children.find((child) => child.type === 'element' && child.tagName === 'code') as
    Element | undefined;
  const names = (code?.properties['className'] ?? []) as string[];
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length);
  return language === 'text' ? undefined : language;
}

/** Last, since nothing within a table is looked at after it. */
function letTablesScroll(tree: HtmlRoot): void {
  let tables = 0;
  visit(tree, 'element', (node, index, parent) => {
    if (node.tagName !== 'table' || !parent || index === undefined) return;
    tables += 1;
    parent.children[index] = scrolling(node, `Table ${tables}`);
    return SKIP;
  });
}

function scrolling(table: Element, ariaLabel: string): Element {
  const properties = { className: ['table'], tabIndex: 0, role: 'region', ariaLabel };
  return { type: 'element', tagName: 'div', properties, children: [table] };
}

/** Whether a link says in words where it leads. */
function hasName(link: Element): boolean {
  let named = toString(link).trim() !== '' || link.properties['ariaLabel'] !== undefined;
  visit(link, 'element', ({ properties }) => {
    named ||= typeof properties['alt'] === 'string' && properties['alt'].trim() !== '';
  });
  return named;
}

const onlyImage = ({ children }: Element): Element | undefined => {
  const [only] = children;
  return children.length === 1 && only?.type === 'element' && only.tagName === 'img' ? only : undefined;
};

/** An image that stands alone and has a title is a figure, the title its caption. */
function figure(image: Element): Element {
  const { title, ...properties } = image.properties;
  const caption: ElementContent = {
    type: 'element',
    tagName: 'figcaption',
    properties: {},
    children: [{ type: 'text', value: String(title) }],
  };
  return {
    type: 'element',
    tagName: 'figure',
    properties: {},
    children: [{ ...image, properties }, caption],
  };
}
