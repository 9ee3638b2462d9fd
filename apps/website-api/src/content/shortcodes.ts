import { visit } from 'unist-util-visit';
import { applyEdits, type Edit, type EditedText } from './edits.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { isPaired, replaceShortcode, type ShortcodeSite } from './shortcode-meanings.ts';

/** One shortcode as it stands in a post. */
export interface Shortcode {
  name: string;
  /** Named arguments by name, others by their place from 0. */
  arguments: ReadonlyMap<string, string>;
  start: number;
  end: number;
}

interface Tag extends Shortcode {
  kind: 'opening' | 'closing' | 'escaped';
  /** What the tag says between its braces. */
  text: string;
}

/** Hugo’s `{{< name … >}}` and `{{% name … %}}`, Jekyll’s `{% name … %}` and `{{ name }}`. */
const TAG = /\{\{([<%])([\s\S]*?)[>%]\}\}|\{%-?([\s\S]*?)-?%\}|\{\{-?(?![<%])([^{}\n]*?)-?\}\}/g;
const ARGUMENT = /(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|'([^']*)'|([^\s"'`]+))/g;

/**
 * Puts plain markdown in the place of shortcodes, so that every form of a post says the same. One that is not known is
 * left out and reported: printed as it stands it would only look broken. Code keeps whatever stands in it.
 */
export function resolveShortcodes(body: string, site: ShortcodeSite): EditedText {
  const code = codeRanges(body);
  const isCode = (offset: number) => code.some(({ start, end }) => offset >= start && offset < end);
  return applyEdits(body, editsWithin(body, 0, body.length, isCode, site));
}

function editsWithin(
  body: string,
  from: number,
  to: number,
  isCode: (offset: number) => boolean,
  site: ShortcodeSite,
): Edit[] {
  const edits: Edit[] = [];
  const tags = tagsWithin(body, from, to).filter(({ kind, start }) => kind === 'escaped' || !isCode(start));
  for (let index = 0; index < tags.length; index += 1) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'escaped') {
      edits.push({ start: tag.start, end: tag.end, text: tag.text });
      continue;
    }
    if (tag.kind === 'closing') {
      edits.push({ start: tag.start, end: tag.end, text: '' });
      continue;
    }
    const closing = isPaired(tag.name) ? closingOf(tags, index) : undefined;
    if (closing === undefined) {
      edits.push({ start: tag.start, end: tag.end, text: replaceShortcode(tag, undefined, site) });
      continue;
    }
    const { start: innerEnd, end } = tags[closing] as Tag;
    const inner = body.slice(tag.end, innerEnd);
    const resolved = () => {
      const within = editsWithin(body, tag.end, innerEnd, isCode, site);
      return applyEdits(inner, shifted(within, -tag.end)).text;
    };
    edits.push({ start: tag.start, end, text: replaceShortcode(tag, { raw: inner, resolved }, site) });
    index = closing;
  }
  return edits;
}

function tagsWithin(body: string, from: number, to: number): Tag[] {
  return [...body.slice(from, to).matchAll(TAG)].map((match) => {
    const [whole, , hugo, liquidTag, liquidOutput] = match;
    const start = from + match.index;
    const written = (hugo ?? liquidTag ?? liquidOutput ?? '').trim();
    const escaped = hugo === undefined ? null : /^\/\*([\s\S]*)\*\/$/.exec(written);
    const [, slash, name = '', rest = ''] = /^(\/?)\s*([\w.-]*)([\s\S]*?)\/?$/.exec(written) ?? [];
    const isClosing = slash === '/' || (liquidTag !== undefined && /^end/.test(name));
    return {
      kind: escaped ? 'escaped' : isClosing ? 'closing' : 'opening',
      text: escaped ? whole.replace('/*', '').replace('*/', '') : written,
      name: isClosing ? name.replace(liquidTag === undefined ? /^$/ : /^end/, '') : name,
      arguments: argumentsOf(rest),
      start,
      end: start + whole.length,
    };
  });
}

function argumentsOf(text: string): Map<string, string> {
  const given = new Map<string, string>();
  let place = 0;
  for (const [, name, ...values] of text.matchAll(ARGUMENT)) {
    const value = (values.find((one) => one !== undefined) ?? '').replace(/\\(.)/g, '$1');
    given.set(name ?? String(place++), value);
  }
  return given;
}

function closingOf(tags: Tag[], opening: number): number | undefined {
  const { name } = tags[opening] as Tag;
  let depth = 0;
  for (let index = opening; index < tags.length; index += 1) {
    const tag = tags[index] as Tag;
    if (tag.name !== name || tag.kind === 'escaped') continue;
    depth += tag.kind === 'opening' ? 1 : -1;
    if (depth === 0) return index;
  }
  return undefined;
}

function codeRanges(body: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  visit(parseMarkdown(body), (node) => {
    if (node.type === 'code' || node.type === 'inlineCode') ranges.push(rangeOf(node));
  });
  return ranges;
}

const shifted = (edits: Edit[], by: number): Edit[] =>
  edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
