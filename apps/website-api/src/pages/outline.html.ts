import type { Root } from 'hast';
import { toString } from 'hast-util-to-string';
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

/** Fewer parts than this are seen at a glance. */
const WORTH_AN_OUTLINE = 3;

const parser = unified().use(rehypeParse, { fragment: true });

/** The parts of a text, in the margin beside it. @param prose its HTML */
export function outline(prose: string): VNode | undefined {
  const parts = partsOf(parser.parse(prose));
  if (parts.length < WORTH_AN_OUTLINE) return undefined;
  return html`
    <nav class="outline" aria-label="On this page">
      <ol>
        ${parts.map(({ id, words }) => html`<li><a href=${`#${id}`}>${words}</a></li>`)}
      </ol>
    </nav>
  ` as VNode;
}

function partsOf(tree: Root): { id: string; words: string }[] {
  const parts: { id: string; words: string }[] = [];
  visit(tree, 'element', ({ tagName, properties, children }) => {
    const { id } = properties;
    if (tagName !== 'h2' || typeof id !== 'string' || id === 'footnote-label') return;
    parts.push({ id, words: toString({ type: 'root', children }) });
  });
  return parts;
}
