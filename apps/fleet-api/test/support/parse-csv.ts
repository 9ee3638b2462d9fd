/** Parses RFC 4180 with CRLF, and returns a row as its cells by column. */
export function parseCsv(csv: string): Record<string, string>[] {
  if (!csv.endsWith('\r\n')) throw new Error('the last row is cut off');
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? (plain as string));
    if (end === '\r\n') rows.push([]);
  }
  const [header = [], ...cells] = rows.slice(0, -1);
  return cells.map((row) => {
    if (row.length !== header.length) throw new Error(`a row has ${row.length} cells: ${row.join()}`);
    return Object.fromEntries(header.map((column, n) => [column, row[n] as string]));
  });
}

/** Returns the row of a CSV with these columns for a row of JSON. */
export function csvRow(row: object, columns: readonly string[]): Record<string, string> {
  const cells = Object.fromEntries(columns.map((column) => [column, '']));
  for (const [column, cell] of leavesOf(row))
    // The columns of an object that is null stay empty.
    if (cell !== null || column in cells) cells[column] = cell ?? '';
  return cells;
}

function leavesOf(row: object, path = ''): [column: string, cell: string | null][] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]): [string, string | null][] => {
    const column = path + name;
    if (value === null) return [[column, null]];
    if (Array.isArray(value)) return [[column, JSON.stringify(value)]];
    if (typeof value === 'object') return leavesOf(value, `${column}.`);
    const cell = String(value as string | number | boolean);
    return [[column, typeof value === 'string' && /^[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell]];
  });
}
