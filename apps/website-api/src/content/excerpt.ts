import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';

/** In UTF-16 code units. */
const EXCERPT_LENGTH = 220;

/** Returns the start of the first paragraph with text, cut between words. */
export function excerpt(tree: Root): string | undefined {
  const paragraph = tree.children.find((node) => node.type === 'paragraph' && toString(node).trim() !== '');
  const text = paragraph && toString(paragraph, { includeHtml: false }).replace(/\s+/g, ' ').trim();
  if (text === undefined || text.length <= EXCERPT_LENGTH) return text;
  const cut = text.slice(0, EXCERPT_LENGTH);
  const atWord = cut.lastIndexOf(' ') > EXCERPT_LENGTH / 2 ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  return `${atWord.replace(/[\s,;:.–-]+$/u, '')}…`;
}
