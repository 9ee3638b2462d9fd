import type { ErrorCode, YAMLParseError } from 'yaml';

/** Longer values are not repeated in messages. */
const MAX_SHOWN_LENGTH = 200;
const ENTRY = /^\s*(?:- +)?([\w-]+): +(\S.*?)\s*$/;
/** Explanations of parser errors for authors, where the line itself does not show a more precise reason. */
const REASONS: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a name has a value and also names below it; give it one of both',
  MULTILINE_IMPLICIT_KEY: 'the line has no “name: value”; indent it if it continues the value above',
  BAD_INDENT: 'a value that starts with [ or { has no closing ] or }',
  MISSING_CHAR: 'a quoted text has no closing quote, or a name has no “:”',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  DUPLICATE_KEY: 'the name of this line is used above; keep one of the two lines',
  MULTIPLE_DOCS: 'the front matter contains a second document; remove the line with --- or ...',
};

/**
 * Explains a YAML error in the terms of an author.
 *
 * @param line the line of the front matter with the error
 */
export function explainYamlError({ code, message }: YAMLParseError, line: string): string {
  return explainValue(code, line) ?? REASONS[code] ?? message;
}

/** Recognizes values that need quotes, and shows the line with quotes. */
function explainValue(code: ErrorCode, line: string): string | undefined {
  const [, name = '', value = ''] = ENTRY.exec(line) ?? [];
  const quote = /^["']/.exec(value)?.[0];
  const quoted = (text: string) =>
    text.length > MAX_SHOWN_LENGTH ? 'put it in quotes' : `write ${name}: ${JSON.stringify(text)}`;
  if (quote !== undefined) {
    const text = value.slice(1).replace(new RegExp(`${quote}$`), '');
    if (code === 'BAD_DQ_ESCAPE') return `“\\” in quoted text must be doubled; ${quoted(text)}`;
    if (text.includes(quote))
      return value.endsWith(quote)
        ? `the quoted text contains ${quote}; ${quoted(text)}`
        : `text follows the closing ${quote}; ${quoted(value)}`;
    return value.endsWith(quote) && value.length > 1
      ? undefined
      : `the quoted text has no closing ${quote}; ${quoted(text)}`;
  }
  if (/^\{\{|^\{%/.test(value)) return `a template must be in quotes; ${quoted(value)}`;
  if (/^[@`%*&!]/.test(value)) return `a value that starts with ${value[0]} needs quotes; ${quoted(value)}`;
  if (/:(?: |$)/.test(value) && !/^[[{|>]/.test(value))
    return `a value with a colon and a space needs quotes; ${quoted(value)}`;
  return undefined;
}
