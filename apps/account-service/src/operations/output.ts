export const JSON_OPTION = ['--json', 'as JSON'] as const;

/** A line for people: a sentence, or the cells of a table's row. */
export type Line = string | (string | number)[];

/** What a command says: one JSON document for programs, or lines for people. */
export function print({ json = false }: { json?: boolean }, document: object, lines: Line[]): void {
  const text = json ? JSON.stringify(document, null, 2) : lines.map(toText).join('\n');
  process.stdout.write(`${text}\n`);
}

function toText(line: Line): string {
  return [line].flat().map(visible).join('\t');
}

/**
 * What other people named (a key, say) may hold characters that a terminal obeys, or that turn the direction of a line:
 * they are shown as escapes, so that nobody writes on an operator's screen.
 */
function visible(cell: string | number): string {
  return String(cell).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
