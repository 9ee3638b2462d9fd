import type { Command } from 'commander';

/** Options of every command. */
interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

/** Those of the command that the process runs. */
let given: CommonOptions = {};

/** Adds `--json` for `print` and `--yes` for `confirm` to a program, which reads them after its commands too. */
export function addCommonOptions(program: Command): void {
  program
    .option('--json', 'print JSON')
    .option('--yes', 'do not ask for confirmation of a destructive change')
    .configureHelp({ showGlobalOptions: true })
    .hook('preAction', () => {
      given = program.opts();
    });
}

export const commonOptions = (): Readonly<CommonOptions> => given;

/** Line of text output: a sentence, or the cells of a table row. */
type Line = string | string[];

/** Prints the result of a command: one JSON document with `--json`, else lines of text. */
export function print(document: object, lines: Line[]): void {
  if (given.json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else printLines(lines);
}

/** Prints a list under its name in JSON, and as a table in text. */
export function printList(name: string, rows: readonly object[]): void {
  const [header] = rows.map(Object.keys);
  print({ [name]: rows }, header ? [header, ...rows.map(toCells)] : []);
}

export function toCells(row: object): string[] {
  return Object.values(row).map((value: unknown) => {
    if (value === null || value === undefined) return '-';
    if (value instanceof Date) return value.toISOString();
    return Array.isArray(value)
      ? value.join(',')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  });
}

export function printLines(lines: Line[]): void {
  const text = lines.map((line) => `${[line].flat().map(escapeControlCharacters).join('\t')}\n`).join('');
  process.stdout.write(text);
}

/**
 * Escapes control and bidirectional characters. Names come from users (of API keys, for example) and could otherwise
 * send escape sequences to the terminal of an operator.
 */
function escapeControlCharacters(cell: string): string {
  return cell.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
