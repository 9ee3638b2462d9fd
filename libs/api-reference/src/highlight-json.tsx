import type { ComponentChildren } from 'preact';
import { formatJson } from './format-json.ts';

/** A name with its colon, a string, a literal, or a number. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Renders JSON with an element for each token to color. */
export function highlightJson(value: unknown): ComponentChildren[] {
  const text = formatJson(value);
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon, literal] = match;
    const kind =
      colon !== undefined ? 'name' : quoted !== undefined ? 'text' : literal !== undefined ? 'word' : 'value';
    parts.push(text.slice(end, match.index), <span class={kind}>{quoted ?? token}</span>, colon);
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}
