import type { ReadPart } from '../access/tenant-database.ts';
import type { DataVersion } from '../data-version/data-version.ts';
import type { PageToken } from '../paging/page-token.ts';
import type { SortKey } from './order/alert-sorts.ts';

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

/** Rows that one part of a read contributes to a page. */
export interface PagePiece extends AlertPage {
  /** The sort key of the last row of each chunk; of a statement on all customers only that of the last row. */
  keys: SortKey[];
}

/** Where a later page starts: after this row, as of this data. */
export interface PagePosition extends Pick<PageToken<SortKey>, 'after'> {
  data: DataVersion;
}

export type ReadPiece = (part: ReadPart, rows: number) => Promise<PagePiece>;
export type ReadNextPiece = (part: ReadPart, rows: number, position: PagePosition) => Promise<PagePiece>;
