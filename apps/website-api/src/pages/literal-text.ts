/** What markdown, as CommonMark and GitHub read it, would take for more than the character itself. */
const MARKUP = [
  /[\\`*~<[\]]/u,
  // Within a word an underscore is one.
  /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  /&(?=#?\w+;)/u,
  // A list, a quote or a heading begins a line; number signs end a heading too.
  /^[-+>]|^#(?=#{0,5}(?:\s|$))|(?<=^\d{1,9})[.)](?=\s|$)|(?<=\s)#(?=#*$)/u,
  // Addresses become links by themselves.
  /(?<=https?):(?=\/\/)|(?<=www)\.|(?<=[\w.+-])@(?=\w)/u,
];
const ANY_MARKUP = new RegExp(MARKUP.map(({ source }) => source).join('|'), 'giu');

/** A text as one line of markdown that shows it as it is, as the HTML form does. */
export function literalText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(ANY_MARKUP, '\\$&');
}
