import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { ExportType } from './export-type.ts';

export type ExportedRow = Readonly<Record<string, unknown>>;

/** Returns the text of a page of rows in the format of an export. */
type Writer = (rows: readonly ExportedRow[], page: { isFirst: boolean }) => string;

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
  return Readable.from(chunks(type === 'text/csv' ? csvWriter(columns) : writeNdjson, pages), {
    objectMode: false,
  });
}

async function* chunks(write: Writer, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of pages) {
    const chunk = write(rows, { isFirst });
    isFirst = false;
    if (chunk !== '') yield chunk;
  }
  // A CSV without rows still has its header.
  const header = isFirst ? write([], { isFirst }) : '';
  if (header !== '') yield header;
}

/** Matches cells that a spreadsheet may execute as a formula. It may strip white space, and accepts full-width signs. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Marks a formula as text by an apostrophe. */
function defuse(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** Returns a writer of CSV (RFC 4180): CRLF after each row, null as an empty cell, arrays as JSON. */
function csvWriter(columns: readonly string[]): Writer {
  return (rows, { isFirst }) =>
    stringify([...rows], {
      columns: [...columns],
      header: isFirst,
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      cast: { boolean: String, string: defuse },
    });
}

const writeNdjson: Writer = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
