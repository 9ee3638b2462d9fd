import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm);

/** CommonMark with what GitHub adds to it: tables, footnotes, task lists, strike-through, plain links. */
export function parseMarkdown(text: string): Root {
  return parser.parse(text);
}

/** Where a node stands in the text it was parsed from. */
export function rangeOf(node: Nodes): { start: number; end: number } {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}
