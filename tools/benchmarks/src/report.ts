/** Figures of one line, by the title of the column. */
export type Row = Record<string, string | number>;

/** Formats rows as a table of Markdown. Rows may lack columns. */
export function formatTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  return [columns, columns.map((column) => (isText(rows, column) ? '---' : '--:')), ...cells]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

const isText = (rows: readonly Row[], column: string) => typeof rows[0]?.[column] === 'string';

function cell(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 3 : 2 });
}
