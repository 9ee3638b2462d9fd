import type { Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

/** Texts with fewer sections get no outline. */
const MIN_SECTIONS = 3;

const parser = unified().use(rehypeParse, { fragment: true });

/** Renders links to the sections of a text. @param prose HTML of the text */
export function outline(prose: string): VNode | undefined {
  const sections = findSections(parser.parse(prose));
  if (sections.length < MIN_SECTIONS) return undefined;
  return html`
    <nav class="outline" aria-label="On this page">
      <ol>
        ${sections.map(({ id, title }) => html`<li><a href=${`#${id}`}>${title}</a></li>`)}
      </ol>
    </nav>
  ` as VNode;
}

function findSections(tree: Root): { id: string; title: string }[] {
  const sections: { id: string; title: string }[] = [];
  visit(tree, 'element', ({ tagName, properties, children }) => {
    const { id } = properties;
    if (tagName !== 'h2' || typeof id !== 'string' || id === 'footnote-label') return;
    sections.push({ id, title: toString({ type: 'root', children }) });
  });
  return sections;
}
