import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const MARKS = [
  /[\\`*~|<[\]]/u,
  // An underscore within a word is literal.
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  /&(?=#?\w+;)/u,
  // Starts of lists, quotes and headings, and the closing number signs of a heading.
  /^[-+>]|^#(?=#{0,5}(?:\s|$))|(?<=^\d{1,9})[.)](?=\s|$)|(?<=\s)#(?=#*$)/u,
  // GitHub turns bare URLs and email addresses into links.
  /(?<=https?):(?=\/\/)|(?<=www)\.|(?<=[\w.+-])@(?=\w)/u,
];
/** Characters that are markup in GitHub Flavored Markdown at their position. */
export const MARKUP = new RegExp(MARKS.map(({ source }) => source).join('|'), 'gimu');

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
