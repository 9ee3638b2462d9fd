import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** Characters with a meaning in markdown. An underscore between letters or digits has none. */
export const MARKUP = /[\\`*~|&[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

const parser = unified().use(remarkParse).use(remarkGfm);

/** Parses GitHub Flavored Markdown. */
export function parseMarkdown(text: string): Root {
  return parser.parse(text);
}

/** Returns the offsets of a node in its source text. */
export function rangeOf(node: Nodes): { start: number; end: number } {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}

/** Escapes text, so that markdown shows it as written. */
export const escapeMarkdown = (text: string): string => text.replace(MARKUP, '\\$&');
