import type { Heading, Root, Text } from 'mdast';
import { visit } from 'unist-util-visit';

/** `## Heading {#id}`, as in Hugo and kramdown. */
const HEADING_ID = /\s*\{:?\s*#([\w-]+)[^{}]*\}\s*$/;
/** `{.class}` or `{: .class}` at the end of a block. The site has no styles for such classes. */
const ATTRIBUTES = /\n?\s*\{:?\s*[.#][^{}]*\}\s*$/;

/** Removes attribute lists from the text. The id of a heading becomes its HTML id; the rest is dropped. */
export function attributeLists(tree: Root): void {
  visit(tree, 'heading', (heading) => {
    const last = lastText(heading);
    const [whole, id] = HEADING_ID.exec(last?.value ?? '') ?? [];
    if (!last || whole === undefined) return;
    last.value = last.value.slice(0, -whole.length);
    heading.data = { ...heading.data, hProperties: { id } };
  });
  visit(tree, 'paragraph', (paragraph, index, parent) => {
    const last = paragraph.children.at(-1);
    if (last?.type !== 'text') return;
    last.value = last.value.replace(ATTRIBUTES, '');
    if (last.value === '' && paragraph.children.length === 1 && parent && index !== undefined) {
      parent.children.splice(index, 1);
      return index;
    }
    return;
  });
}

function lastText({ children }: Heading): Text | undefined {
  const last = children.at(-1);
  return last?.type === 'text' ? last : undefined;
}
