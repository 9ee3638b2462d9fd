import type { DataVersion } from '../../data-version/data-version.ts';
import type { PageToken } from '../../paging/page-token.ts';
import type { SortKey } from '../order/alert-sorts.ts';

export interface AlertPage {
  /** JSON of the list items in chunks, each with several items separated by commas. */
  docChunks: string[];
  /** Number of list items. */
  rows: number;
  /** Whether more rows follow. */
  hasMore: boolean;
  /** The sort key of the last row; null on the last page. */
  last: SortKey | null;
  data: DataVersion;
  /** The number of alerts on all pages; null on later pages, and where it was not counted in time. */
  total: number | null;
}

/** Rows of one customer. */
export interface PagePiece extends AlertPage {
  /** The sort key of the last row of each chunk; of chunks with several rows only that of the last one. */
  keys: SortKey[];
}

/** Where a later page starts: after this row, as of this data. */
export interface PagePosition extends Pick<PageToken<SortKey>, 'after'> {
  data: DataVersion;
}

/** The alerts of one customer in the order of a list. */
export interface PageSource {
  /** @param position null for the first rows of the current alerts */
  read(rows: number, position: PagePosition | null): Promise<PagePiece>;
}
