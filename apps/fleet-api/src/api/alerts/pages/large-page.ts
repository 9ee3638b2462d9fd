import { type AlertPage, type PagePosition, type PageSource, SMALL_PAGE_ROWS } from './alert-page.ts';

/** Maximum number of further rows that are read at once: later documents may be longer. */
const MAX_BATCH_ROWS = 3_000;
/**
 * Documents per value of the result. The driver receives 64 KiB at a time; values that fit into one read cost half of
 * single documents or of one value with the whole page.
 */
const DOCS_PER_CHUNK = 96;

/**
 * Reads a page of one customer: a small one with one statement, a larger one in batches. The first batch shows how long its documents
 * are; further ones are read as later pages of the same data version. A page of very long rows ends early, and the next page
 * continues it.
 *
 * @param maxBytes of the documents, from which the page ends early
 * @param position null for the first page
 */
export async function readLargePage(
  source: PageSource,
  { size, maxBytes }: { size: number; maxBytes: number },
  position: PagePosition | null,
): Promise<AlertPage> {
  const first = await source.readRows(Math.min(size, SMALL_PAGE_ROWS), position, DOCS_PER_CHUNK);
  const page = { ...first, docChunks: [...first.docChunks] };
  let bytes = bytesOf(first);
  while (page.hasMore && page.last !== null && page.rows < size && bytes < maxBytes) {
    const fitting = Math.ceil(((maxBytes - bytes) / bytes) * page.rows);
    const limit = Math.min(size - page.rows, fitting, MAX_BATCH_ROWS);
    const batch = await source.readRows(limit, { data: page.data, after: page.last }, DOCS_PER_CHUNK);
    page.docChunks.push(...batch.docChunks);
    page.rows += batch.rows;
    page.hasMore = batch.hasMore;
    page.last = batch.last ?? page.last;
    bytes += bytesOf(batch);
  }
  return page;
}

const bytesOf = ({ docChunks }: AlertPage) =>
  docChunks.reduce((sum, docs) => sum + Buffer.byteLength(docs), 0);
