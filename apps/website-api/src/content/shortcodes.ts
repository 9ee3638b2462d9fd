import { visit } from 'unist-util-visit';
import { applyEdits, type Edit, type EditedText } from './text-edits.ts';
import { parseMarkdown, rangeOf } from './markdown.ts';
import { isPaired, renderShortcode, type Shortcode, type ShortcodeContext } from './shortcode-renderers.ts';

interface Tag extends Shortcode {
  kind: 'opening' | 'closing' | 'escaped' | 'literal';
  /** Text between the braces, or the replacement of an escaped or literal tag. */
  text: string;
}

/** `{{< name … >}}` and `{{% name … %}}` of Hugo, `{% name … %}` and `{{ name }}` of Jekyll. */
const TAG = /\{\{([<%])([\s\S]*?)[>%]\}\}|\{%-?([\s\S]*?)-?%\}|\{\{-?(?![<%])([^{}\n]*?)-?\}\}/g;
/** `"/path" | relative_url`: a text with the URL filters of Jekyll, which add only the address of the site. */
const LITERAL = /^(["'])([^"']*)\1\s*(?:\|\s*(?:relative|absolute)_url\s*)*$/;
const ARGUMENT = /(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|'([^']*)'|([^\s"'`]+))/g;

/**
 * Replaces shortcodes with plain markdown, so that the markdown and HTML of a post have the same content. Unknown
 * shortcodes are removed with a warning. Shortcodes in code are kept.
 */
export function resolveShortcodes(body: string, context: ShortcodeContext): EditedText {
  const code = codeRanges(body);
  const isCode = (offset: number) => code.some(({ start, end }) => offset >= start && offset < end);
  return applyEdits(body, editsWithin(body, 0, body.length, isCode, context));
}

function editsWithin(
  body: string,
  from: number,
  to: number,
  isCode: (offset: number) => boolean,
  context: ShortcodeContext,
): Edit[] {
  const edits: Edit[] = [];
  const tags = tagsWithin(body, from, to).filter(({ kind, start }) => kind === 'escaped' || !isCode(start));
  for (let index = 0; index < tags.length; index += 1) {
    const tag = tags[index] as Tag;
    if (tag.kind === 'escaped' || tag.kind === 'literal') {
      edits.push({ start: tag.start, end: tag.end, text: tag.text });
      continue;
    }
    if (tag.kind === 'closing') {
      edits.push({ start: tag.start, end: tag.end, text: '' });
      continue;
    }
    const closing = isPaired(tag.name) ? findClosing(tags, index) : undefined;
    if (closing === undefined) {
      edits.push({ start: tag.start, end: tag.end, text: renderShortcode(tag, undefined, context) });
      continue;
    }
    const { start: innerEnd, end } = tags[closing] as Tag;
    const inner = body.slice(tag.end, innerEnd);
    const rendered = () => {
      const within = editsWithin(body, tag.end, innerEnd, isCode, context);
      return applyEdits(inner, shifted(within, -tag.end)).text;
    };
    edits.push({ start: tag.start, end, text: renderShortcode(tag, { raw: inner, rendered }, context) });
    index = closing;
  }
  return edits;
}

function tagsWithin(body: string, from: number, to: number): Tag[] {
  return [...body.slice(from, to).matchAll(TAG)].map((match) => {
    const [whole, , hugo, liquidTag, liquidOutput] = match;
    const start = from + match.index;
    const content = (hugo ?? liquidTag ?? liquidOutput ?? '').trim();
    const isEscaped = hugo !== undefined && /^\/\*[\s\S]*\*\/$/.test(content);
    const literal = liquidOutput === undefined ? undefined : LITERAL.exec(content)?.[2];
    const [, slash, name = '', rest = ''] = /^(\/?)\s*([\w.-]*)([\s\S]*?)\/?$/.exec(content) ?? [];
    const isClosing = slash === '/' || (liquidTag !== undefined && /^end/.test(name));
    return {
      kind: isEscaped ? 'escaped' : literal !== undefined ? 'literal' : isClosing ? 'closing' : 'opening',
      text: isEscaped ? whole.replace('/*', '').replace('*/', '') : (literal ?? content),
      name: isClosing ? name.replace(liquidTag === undefined ? /^$/ : /^end/, '') : name || content,
      arguments: parseArguments(rest),
      start,
      end: start + whole.length,
    };
  });
}

function parseArguments(text: string): Map<string, string> {
  const args = new Map<string, string>();
  let position = 0;
  for (const [, name, ...values] of text.matchAll(ARGUMENT)) {
    const value = (values.find((one) => one !== undefined) ?? '').replace(/\\(.)/g, '$1');
    args.set(name ?? String(position++), value);
  }
  return args;
}

function findClosing(tags: Tag[], opening: number): number | undefined {
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
