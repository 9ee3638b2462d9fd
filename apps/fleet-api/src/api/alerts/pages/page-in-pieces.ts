import type { AlertPage, PagePosition, PageSource } from './alert-page.ts';

/** First rows of a large page, which show how long its documents are. */
const FIRST_ROWS = 1_000;
/** Maximum number of further rows that are read at once: later documents may be longer. */
const MAX_PIECE_ROWS = 3_000;

/**
 * Reads a page of one customer: up to 1,000 rows with one statement, more in pieces. Each further piece is read as a later page of
 * the same data version. A page of very long rows ends early, and the next page continues it.
 *
 * @param maxBytes of the documents, from which the page ends early
 * @param position null for the first page
 */
export async function readInPieces(
  source: PageSource,
  { size, maxBytes }: { size: number; maxBytes: number },
  position: PagePosition | null,
): Promise<AlertPage> {
  const page: AlertPage = await source.read(Math.min(size, FIRST_ROWS), position);
  let bytes = bytesOf(page);
  while (page.hasMore && page.last !== null && page.rows < size && bytes < maxBytes) {
    const fitting = Math.ceil(((maxBytes - bytes) / bytes) * page.rows);
    const rows = Math.min(size - page.rows, fitting, MAX_PIECE_ROWS);
    const piece = await source.read(rows, { data: page.data, after: page.last });
    page.docChunks.push(...piece.docChunks);
    page.rows += piece.rows;
    page.hasMore = piece.hasMore;
    page.last = piece.last ?? page.last;
    bytes += bytesOf(piece);
  }
  return page;
}

const bytesOf = ({ docChunks }: AlertPage) =>
  docChunks.reduce((sum, docs) => sum + Buffer.byteLength(docs), 0);
