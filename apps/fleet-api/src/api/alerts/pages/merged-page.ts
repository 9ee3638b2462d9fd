import { parseAlertDoc } from '../../../model/alerts/alert-document.ts';
import { dataVersionOfSeveral } from '../../data-version/data-version.ts';
import { type AlertSort, compareSortKeys, type SortKey, sortKeyOf } from '../order/alert-sorts.ts';
import { type AlertPage, type PagePosition, type PageSource, SMALL_PAGE_ROWS } from './alert-page.ts';

export interface MergeOptions {
  sort: AlertSort;
  /** Maximum number of alerts of the page. */
  size: number;
  /** Length of the documents from which the page ends early, in bytes. */
  maxBytes: number;
  /** Maximum number of alerts of a customer that are in memory before they are merged. */
  maxBatchRows?: number;
}

/** The alerts of one customer in the order of the page, of which those that are not on it yet are in memory. */
interface MergedSource {
  source: PageSource;
  /** Has one document per chunk. */
  batch: AlertPage;
  /** Index of the next alert of the batch. */
  next: number;
  /** Sort key of the next alert; null when all of the batch are on the page. */
  key: SortKey | null;
}

/**
 * Reads a page as the merge of one snapshot per customer. Each customer's alerts are read in batches; further batches are read as of
 * the customer's data version.
 *
 * @param position null for the first page
 */
export async function mergePage(
  customers: readonly PageSource[],
  { sort, size, maxBytes, maxBatchRows = SMALL_PAGE_ROWS }: MergeOptions,
  position: PagePosition | null,
): Promise<AlertPage> {
  const compare = compareSortKeys(sort);
  const moveTo = (merged: MergedSource, next: number) => {
    const doc = merged.batch.docChunks[next];
    merged.next = next;
    merged.key = doc === undefined ? null : sortKeyOf(sort.field, parseAlertDoc(doc));
  };
  const startOf = async (source: PageSource, limit: number, start: PagePosition | null) => {
    const merged: MergedSource = {
      source,
      batch: await source.readRows(limit, start, 1),
      next: 0,
      key: null,
    };
    moveTo(merged, 0);
    return merged;
  };
  let sources = await Promise.all(
    customers.map((source) => startOf(source, Math.min(size, maxBatchRows), position)),
  );
  const page = emptyPage(sources.map(({ batch }) => batch));
  let bytes = 0;
  const isFull = () => page.rows === size || bytes >= maxBytes;
  for (;;) {
    while (!isFull() && sources.every(isReady)) {
      const first = firstOf(sources, compare);
      if (first === null) return page;
      const doc = first.batch.docChunks[first.next] as string;
      page.docChunks.push(doc);
      page.rows += 1;
      bytes += Buffer.byteLength(doc);
      page.last = first.key;
      moveTo(first, first.next + 1);
    }
    if (isFull()) {
      page.hasMore = sources.some(({ batch, key }) => batch.hasMore || key !== null);
      return page;
    }
    const limit = Math.min(size - page.rows, maxBatchRows);
    sources = await Promise.all(
      sources.map(async (merged) => {
        const { source, batch } = merged;
        if (isReady(merged)) return merged;
        return startOf(source, limit, { data: batch.data, after: batch.last as SortKey });
      }),
    );
  }
}

/** @param batches the first ones of each customer */
function emptyPage(batches: readonly AlertPage[]): AlertPage {
  const sumOf = (sum: number | null, { total }: AlertPage) =>
    sum === null || total === null ? null : sum + total;
  return {
    docChunks: [],
    rows: 0,
    hasMore: false,
    last: null,
    data: dataVersionOfSeveral(batches.map(({ data }) => data)),
    total: batches.reduce(sumOf, 0),
  };
}

/** Returns whether the source can be merged: its next alert is in memory, or all its alerts have been read. */
function isReady({ batch, key }: MergedSource): boolean {
  return key !== null || !batch.hasMore;
}

/** Returns the source of the next alert on the page; null when all have been read. */
function firstOf(
  sources: readonly MergedSource[],
  compare: (a: SortKey, b: SortKey) => number,
): MergedSource | null {
  let first: MergedSource | null = null;
  for (const source of sources) {
    if (source.key === null) continue;
    if (first === null || first.key === null || compare(first.key, source.key) > 0) first = source;
  }
  return first;
}
