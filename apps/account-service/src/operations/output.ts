/** Options that most commands have. */
export interface CommandOptions {
  json?: boolean;
  /** Confirms a destructive change: see `confirm`. */
  yes?: boolean;
}

export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** Line of text output: a sentence, or the cells of a table row. */
export type Line = string | (string | number)[];

/** Prints the result of a command: one JSON document with `--json`, else lines of text. */
export function print({ json = false }: CommandOptions, document: object, lines: Line[]): void {
  const text = json ? JSON.stringify(document, null, 2) : lines.map(toText).join('\n');
  process.stdout.write(`${text}\n`);
}

function toText(line: Line): string {
  return [line].flat().map(escapeControlCharacters).join('\t');
}

/**
 * Escapes control and bidirectional characters. Names come from users (of API keys, for example) and could otherwise
 * send escape sequences to the terminal of an operator.
 */
function escapeControlCharacters(cell: string | number): string {
  return String(cell).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
