import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { ExportType } from './export-type.ts';

export type ExportedRow = Readonly<Record<string, unknown>>;

/**
 * Returns the body of an export. Further pages are read as the client reads, so memory is bounded and a slow client holds no database
 * connection. A page that cannot be read destroys the stream, which breaks the connection.
 *
 * @param columns columns of a CSV export; a field of a nested object is `object.field`
 */
export function exportStream(
  type: ExportType,
  columns: readonly string[],
  pages: AsyncIterable<readonly ExportedRow[]>,
): Readable {
  const texts = type === 'text/csv' ? csvTexts(columns, pages) : ndjsonTexts(pages);
  return Readable.from(texts, { objectMode: false });
}

/** Matches cells that a spreadsheet may execute as a formula. It may strip white space, and accepts full-width signs. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Marks a formula as text by an apostrophe. */
function defuse(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Yields CSV (RFC 4180): a header, CRLF after each row, null as an empty cell, arrays as JSON. */
async function* csvTexts(
  columns: readonly string[],
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<string> {
  const toCsv = (rows: readonly ExportedRow[], { header }: { header: boolean }) =>
    stringify([...rows], {
      columns: [...columns],
      header,
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      cast: { boolean: String, string: defuse },
    });
  yield toCsv([], { header: true });
  for await (const rows of pages) if (rows.length > 0) yield toCsv(rows, { header: false });
}

async function* ndjsonTexts(pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  for await (const rows of pages)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
