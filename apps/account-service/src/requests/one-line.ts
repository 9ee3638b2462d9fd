/**
 * Characters that may not occur in a text that is shown on one line: control characters, line and paragraph separators,
 * and bidirectional embeddings, overrides and isolates, which reorder what follows them
 * (https://www.unicode.org/reports/tr9/#Explicit_Directional_Embeddings).
 */
const NOT_ON_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** Returns what is wrong with the text, or undefined. */
export function oneLineViolation(text: string): string | undefined {
  const [character] = text.match(NOT_ON_ONE_LINE) ?? [];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `must be one line without control or bidirectional formatting characters, got U+${code}`;
}

/** Replaces the characters that may not occur with spaces. */
export function toOneLine(text: string): string {
  return text.replace(NOT_ON_ONE_LINE, ' ');
}
