import { Violation } from '../expectations.ts';

/** Texts that spreadsheets may execute as a formula. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/**
 * Parses RFC 4180 with CRLF.
 *
 * @throws {Violation} unless each row ends and has as many cells as the header
 */
export function parseCsv(csv: string): string[][] {
  if (!csv.endsWith('\r\n')) throw new Violation('the last row of the CSV is cut off');
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain as string));
    if (end === '\r\n') rows.push([]);
  }
  rows.pop();
  for (const row of rows)
    if (row.length !== rows[0]?.length)
      throw new Violation(`a row of the CSV has ${row.length} cells, the header ${rows[0]?.length}`);
  return rows;
}

/**
 * Returns the cells of a row of JSON in a CSV with these columns.
 *
 * @throws {Violation} unless each field has a column
 */
export function csvCells(row: object, columns: readonly string[]): string[] {
  const cells = new Map(columns.map((column) => [column, '']));
  for (const [column, cell] of leavesOf(row)) {
    // An object that is null has only columns for its fields, which stay empty.
    if (cell === null) continue;
    if (!cells.has(column)) throw new Violation(`the CSV has no column ${column}`);
    cells.set(column, cell);
  }
  return [...cells.values()];
}

function leavesOf(row: object, path = ''): [column: string, cell: string | null][] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]): [string, string | null][] => {
    const column = path + name;
    if (value === null) return [[column, null]];
    if (Array.isArray(value)) return [[column, JSON.stringify(value)]];
    if (typeof value === 'object') return leavesOf(value, `${column}.`);
    const cell = String(value as string | number | boolean);
    return [[column, typeof value === 'string' && FORMULA.test(cell) ? `'${cell}` : cell]];
  });
}
