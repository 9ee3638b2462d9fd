import { visit } from 'unist-util-visit';
import { escapeMarkdown, parseMarkdown, rangeOf } from './markdown.ts';
import { applyEdits, type EditedText } from './text-edits.ts';

/**
 * Tags of Hugo and Zola (`{{< name … >}}`, `{{% name … %}}`), Liquid tags of Jekyll (`{% name … %}`, `{{ name }}`) and
 * attribute lists of kramdown and Hugo (`{: .class}`, `{#id}`).
 */
const TAG = /\{\{[<%][\s\S]*?[>%]\}\}|\{%[\s\S]*?%\}|\{\{[^{}\n]*\}\}|\{:[^{}\n]*\}|\{[#.][a-z][^{}\n]*\}/gi;
/** A shortcode that Hugo shows as text, also in code. */
const ESCAPED = /^\{\{[<%]\/\*/;

/**
 * Escapes the tags of site generators, so that they remain as text, and with them the links and images that have a tag in
 * their address. Tags in raw HTML remain as they are. Code and comments have no tags.
 *
 * @param found receives each tag with its offset
 */
export function escapeTemplateTags(body: string, found: (tag: string, offset: number) => void): EditedText {
  const tags = [...body.matchAll(TAG)].map(({ 0: tag, index }) => ({ tag, start: index }));
  if (tags.length === 0) return applyEdits(body, []);
  const untouched: Range[] = [];
  const verbatim: Range[] = [];
  const brackets: number[] = [];
  visit(parseMarkdown(body), (node) => {
    const range = rangeOf(node);
    if (node.type === 'code' || node.type === 'inlineCode') untouched.push(range);
    else if (node.type === 'html') (node.value.startsWith('<!--') ? untouched : verbatim).push(range);
    else if ('url' in node && node.url.search(TAG) >= 0) {
      const bracket = /^!?\[/.exec(body.slice(range.start, range.end));
      // An address without a link text is text already.
      if (bracket) brackets.push(range.start + bracket[0].length - 1);
      else verbatim.push(range);
    }
  });
  const within = (ranges: Range[], offset: number) =>
    ranges.some(({ start, end }) => offset >= start && offset < end);
  const edits = tags.flatMap(({ tag, start }) => {
    const isUntouched = within(untouched, start);
    if (isUntouched && !ESCAPED.test(tag)) return [];
    found(tag, start);
    if (isUntouched || within(verbatim, start)) return [];
    return [{ start, end: start + tag.length, text: escapeMarkdown(tag) }];
  });
  return applyEdits(body, [...edits, ...brackets.map((start) => ({ start, end: start, text: '\\' }))]);
}

interface Range {
  start: number;
  end: number;
}
