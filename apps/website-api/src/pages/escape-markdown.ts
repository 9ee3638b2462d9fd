/** Characters that have a meaning in CommonMark and GitHub markdown. */
const MARKUP = [
  /[\\`*~<[\]]/u,
  // An underscore within a word is literal.
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  /&(?=#?\w+;)/u,
  // Starts of lists, quotes and headings, and the closing number signs of a heading.
  /^[-+>]|^#(?=#{0,5}(?:\s|$))|(?<=^\d{1,9})[.)](?=\s|$)|(?<=\s)#(?=#*$)/u,
  // GitHub turns bare URLs and email addresses into links.
  /(?<=https?):(?=\/\/)|(?<=www)\.|(?<=[\w.+-])@(?=\w)/u,
];
const ANY_MARKUP = new RegExp(MARKUP.map(({ source }) => source).join('|'), 'giu');

/** Escapes text as one line of markdown that renders literally. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(ANY_MARKUP, '\\$&');
}
