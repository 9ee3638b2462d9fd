import { unionAll } from '../../access/scope.sql.ts';
import { alertScans, type ScannedRows } from '../alert-relations.sql.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../value-fields.ts';
import type { AlertSort, SortKey } from './alert-sorts.ts';

/** Filters and sort of a list request, without page size and position. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** SQL that reads and sorts the rows of a page, and its parameters. */
export interface PageOrder {
  /** ORDER BY expressions on the columns of `rowsSql`. */
  orderBy: string;
  /** Fields with one index scan per value. The scans apply the filters on these fields without skipping rows. */
  scannedFields: readonly ValueField[];
  /** Returns a query of the first rows of all of `scanned`: the rows of the page, and one more if there is one. */
  rowsSql(scanned: readonly ScannedRows[]): string;
  /** Returns the parameters of `rowsSql` that set its start. @param after the sort key of the last row served; null on the first page */
  parameters(listing: AlertListing, after: SortKey | null): OrderParameters;
}

/** Each order has only some of these parameters. A scan selects the rows after a time and an id. */
export interface OrderParameters extends Partial<Record<`scanned_${ValueField}`, (number | string)[]>> {
  afterAt?: Date;
  afterId?: string;
  /** One element per scan, like the lists of scanned values. */
  scannedAfterAts?: Date[];
  scannedAfterIds?: string[];
  /** Hostname of the last row served; null where that row has none, or on the first page. */
  lastHostname?: string | null;
  lastHostnameAfterAt?: Date;
  lastHostnameAfterId?: string;
  /** First of the following hostnames in ascending order. */
  hostnamesFrom?: string;
  /** Exclusive upper bound of the following hostnames in descending order. */
  hostnamesBelow?: string;
  noHostnameAfterAt?: Date;
  noHostnameAfterId?: string;
}

export type TimeOrder = 'newest' | 'oldest';
export const LIMIT = 'LIMIT :limit::integer + 1';
/** Order of rows with equal values: by time, then by id. */
export const NEWEST = 'created_at DESC, id';
const OLDEST = 'created_at, id';
export const orderByTimeSql = (order: TimeOrder) => (order === 'newest' ? NEWEST : OLDEST);

/** The greatest id: no row of the same millisecond is after it. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The position after which a scan starts, in the order of time. */
export interface ScanStart {
  at: Date;
  id: string;
}

/**
 * Returns the start of a scan: that of the window on the first page, otherwise after the last row served. A client can compute a token
 * whose row is outside of the window; it is ignored.
 */
export function scanStart(
  { window: { fromMs, toMs } }: AlertSelection,
  order: TimeOrder,
  last: SortKey | null,
): ScanStart {
  // A scan starts after a time, but the window includes its start: an ascending scan starts 1 ms before.
  const firstMs = order === 'newest' ? toMs : fromMs - 1;
  if (last !== null) {
    const [, ms, id] = last;
    if (order === 'newest' ? ms < firstMs : ms > firstMs) return { at: new Date(ms), id };
  }
  return { at: new Date(firstMs), id: LAST_ID };
}

/** Returns the predicate of the rows `a` after a time and an id. Within a millisecond, ids ascend in both orders. */
export function followsSql(order: TimeOrder, at: string, id: string): string {
  return order === 'newest'
    ? `a.created_at <= ${at} AND (a.created_at < ${at} OR a.id > ${id})`
    : `a.created_at >= ${at} AND (a.created_at > ${at} OR a.id > ${id})`;
}

/** Returns the predicate of the end of the window at which a scan ends. Its start is within the window (`followsSql`). */
export const isBeforeScanEndSql = (order: TimeOrder) =>
  order === 'newest' ? 'a.created_at >= :from::timestamptz' : 'a.created_at < :to::timestamptz';

/** Returns one scan per index range, each with at most the rows of the page and one more. */
export function scansSql(
  scanned: ScannedRows,
  columns: string,
  condition: string,
  orderBy: string,
): string[] {
  return alertScans(
    scanned,
    (fromWhere) => `SELECT ${columns} ${fromWhere} AND ${condition} ORDER BY ${orderBy} ${LIMIT}`,
  );
}

/** Returns a query of the first rows of all scans. @param leading the column that is sorted by before time; null by time only */
export function mergedSql(
  leading: 'rank' | 'hostname' | null,
  scans: readonly string[],
  orderBy: string,
): string {
  const [first] = scans;
  if (first !== undefined && scans.length === 1) return first;
  return `SELECT ${leading === null ? '' : `found.${leading}, `}found.created_at, found.id, found.doc
    FROM (${unionAll(scans)}) AS found ORDER BY ${orderBy} ${LIMIT}`;
}
