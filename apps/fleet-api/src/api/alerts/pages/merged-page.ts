import { dataVersionOfSeveral } from '../../data-version/data-version.ts';
import { type AlertSort, compareSortKeys, type SortKey } from '../order/alert-sorts.ts';
import type { AlertPage, PagePiece, PagePosition, PageSource } from './alert-page.ts';

/** Maximum number of alerts of a customer that are in memory before they are merged. */
const MAX_ROWS_PER_PIECE = 1_000;

export interface MergeOptions {
  sort: AlertSort;
  /** Maximum number of alerts of the page. */
  size: number;
  /** Length of the documents from which the page ends early, in bytes. */
  maxBytes: number;
  maxRowsPerPiece?: number;
}

/** The alerts of one customer in the order of the page, of which those that are not on it yet are in memory. */
interface MergedSource {
  source: PageSource;
  piece: PagePiece;
  /** Index of the next alert of the piece. */
  next: number;
}

/**
 * Reads a page as the merge of one snapshot per customer. Each customer's alerts are read in pieces; further pieces are read as of
 * the customer's data version.
 *
 * @param position null for the first page
 */
export async function mergePage(
  customers: readonly PageSource[],
  { sort, size, maxBytes, maxRowsPerPiece = MAX_ROWS_PER_PIECE }: MergeOptions,
  position: PagePosition | null,
): Promise<AlertPage> {
  const compare = compareSortKeys(sort);
  const sources: MergedSource[] = await Promise.all(
    customers.map(async (source) => ({
      source,
      piece: await source.read(Math.min(size, maxRowsPerPiece), position),
      next: 0,
    })),
  );
  const pieces = sources.map(({ piece }) => piece);
  const page: AlertPage = {
    docChunks: [],
    rows: 0,
    hasMore: false,
    last: null,
    data: dataVersionOfSeveral(pieces.map(({ data }) => data)),
    total: pieces.reduce<number | null>(
      (sum, { total }) => (sum === null || total === null ? null : sum + total),
      0,
    ),
  };
  let bytes = 0;
  const isFull = () => page.rows === size || bytes >= maxBytes;
  for (;;) {
    while (!isFull() && sources.every(isReady)) {
      const first = firstOf(sources, compare);
      if (first === null) return page;
      const doc = first.piece.docChunks[first.next] as string;
      page.docChunks.push(doc);
      page.rows += 1;
      bytes += Buffer.byteLength(doc);
      page.last = first.piece.keys[first.next] as SortKey;
      first.next += 1;
    }
    if (isFull()) {
      page.hasMore = sources.some((source) => source.piece.hasMore || keyOf(source) !== undefined);
      return page;
    }
    const rows = Math.min(size - page.rows, maxRowsPerPiece);
    await Promise.all(
      sources
        .filter((source) => !isReady(source))
        .map(async (source) => {
          const { data, last } = source.piece;
          source.piece = await source.source.read(rows, { data, after: last as SortKey });
          source.next = 0;
        }),
    );
  }
}

/** Returns whether the source can be merged: its next alert is in memory, or all its alerts have been read. */
function isReady(source: MergedSource): boolean {
  return keyOf(source) !== undefined || !source.piece.hasMore;
}

function keyOf({ piece, next }: MergedSource): SortKey | undefined {
  return piece.keys[next];
}

/** Returns the source of the next alert on the page; null when all have been read. */
function firstOf(
  sources: readonly MergedSource[],
  compare: (a: SortKey, b: SortKey) => number,
): MergedSource | null {
  let first: MergedSource | null = null;
  let firstKey: SortKey | undefined;
  for (const source of sources) {
    const key = keyOf(source);
    if (key === undefined || (firstKey !== undefined && compare(firstKey, key) <= 0)) continue;
    first = source;
    firstKey = key;
  }
  return first;
}
