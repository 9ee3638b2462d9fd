import type { Blockquote, Root } from 'mdast';
import { visit } from 'unist-util-visit';

const TITLES: Readonly<Record<string, string>> = {
  NOTE: 'Note',
  TIP: 'Tip',
  IMPORTANT: 'Important',
  WARNING: 'Warning',
  CAUTION: 'Caution',
};
const MARKER = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]([^\n]*)(?:\n|$)/i;

/** Marks up callouts, which GitHub and Hugo write as `> [!NOTE] Optional title`. */
export function callouts(tree: Root): void {
  visit(tree, 'blockquote', (quote: Blockquote) => {
    const [first] = quote.children;
    const text = first?.type === 'paragraph' ? first.children[0] : undefined;
    if (first?.type !== 'paragraph' || text?.type !== 'text') return;
    const [whole, kind = '', title = ''] = MARKER.exec(text.value) ?? [];
    if (whole === undefined) return;
    text.value = text.value.slice(whole.length);
    if (text.value === '') first.children.shift();
    if (first.children.length === 0) quote.children.shift();
    const calloutTitle = title.trim() || (TITLES[kind.toUpperCase()] as string);
    quote.data = { hProperties: { className: ['callout', kind.toLowerCase()] } };
    quote.children.unshift({
      type: 'paragraph',
      data: { hProperties: { className: ['callout-title'] } },
      children: [{ type: 'text', value: calloutTitle }],
    });
  });
}
