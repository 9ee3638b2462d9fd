import { type AlertPage, type PagePosition, type PageSource, SMALL_PAGE_ROWS } from './alert-page.ts';

/** Maximum number of rows of a batch after the first. Bounds the error of the size estimate: later documents may be longer. */
const MAX_BATCH_ROWS = 3_000;
/**
 * Documents per value of the result. The driver reads the socket in blocks of 64 KiB. A value that fits into one block costs half as
 * much as one value per document, or one value for the page.
 */
const DOCS_PER_CHUNK = 96;
/** Maximum number of documents of a short page, which is one value. */
const SHORT_PAGE_ROWS = 200;

/**
 * Reads a page of one customer: a small page with one statement, a larger one in batches. The length of the documents in the first
 * batch determines the size of the next ones, which are read as later pages of the same data version. A page of very long documents
 * ends early, and the next page continues it.
 *
 * @param maxBytes size of the documents at which the page ends early, in bytes
 * @param position null for the first page
 */
export async function readPageInBatches(
  source: PageSource,
  { size, maxBytes }: { size: number; maxBytes: number },
  position: PagePosition | null,
): Promise<AlertPage> {
  const rowsPerChunk = size > SHORT_PAGE_ROWS ? DOCS_PER_CHUNK : SHORT_PAGE_ROWS + 1;
  let batch = await source.readRows(Math.min(size, SMALL_PAGE_ROWS), position, rowsPerChunk);
  const page = { ...batch, docChunks: [...batch.docChunks] };
  let bytes = 0;
  while (page.after !== null && page.rows < size) {
    bytes += bytesOf(batch);
    if (bytes >= maxBytes) break;
    // Estimated from the mean length of the documents so far.
    const rowsWithinMaxBytes = Math.ceil(((maxBytes - bytes) / bytes) * page.rows);
    const limit = Math.min(size - page.rows, rowsWithinMaxBytes, MAX_BATCH_ROWS);
    batch = await source.readRows(limit, { data: page.data, after: page.after }, rowsPerChunk);
    page.docChunks.push(...batch.docChunks);
    page.rows += batch.rows;
    page.after = batch.after;
  }
  return page;
}

const bytesOf = ({ docChunks }: AlertPage) =>
  docChunks.reduce((sum, docs) => sum + Buffer.byteLength(docs), 0);
