import type { DataVersion } from '../../data-version/data-version.ts';
import type { PageToken } from '../../paging/page-token.ts';
import type { SortKey } from '../order/alert-sorts.ts';

/**
 * Maximum number of rows of a page that is read with one statement per customer. A larger page counts as a large read, and is read in
 * batches; the first batch has this number of rows.
 */
export const SMALL_PAGE_ROWS = 1_000;

/** A page, or a batch of its rows from one customer. */
export interface AlertPage {
  /** JSON of the list items in chunks, each with several items separated by commas. */
  docChunks: string[];
  /** Number of list items. */
  rows: number;
  /** The sort key of the last row, after which the next page starts; null when no more rows follow. */
  after: SortKey | null;
  data: DataVersion;
  /** Number of alerts on all pages; null on a later page, and where the statement of the page does not count them. */
  total: number | null;
}

/** Start of a later page: the sort key of the last row served, and the data version of the first page. */
export interface PagePosition extends Pick<PageToken<SortKey>, 'after'> {
  data: DataVersion;
}

/** The alerts of one customer in the order of a list. */
export interface PageSource {
  /**
   * @param limit maximum number of rows
   * @param position null for the first rows of the current alerts
   * @param rowsPerChunk number of list items in each chunk but the last
   */
  readRows(limit: number, position: PagePosition | null, rowsPerChunk: number): Promise<AlertPage>;
}
