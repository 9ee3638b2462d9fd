import { unionAll } from '../../access/scope.sql.ts';
import { alertScans } from '../alert-scans.sql.ts';
import type { ScannedRows } from '../scanned-rows.sql.ts';

/** SQL that reads and sorts the rows of a page. */
export interface PageOrder {
  /** ORDER BY expressions on the columns of `rowsSql`. */
  orderBy: string;
  /** Returns a query of the first rows of all of `scanned`: the rows of the page, and one more if there is one. */
  rowsSql(scanned: readonly ScannedRows[]): string;
}

export const LIMIT = 'LIMIT :limit::integer + 1';
/** Order of rows with equal values: by time, then by id. */
export const NEWEST = 'created_at DESC, id';
const OLDEST = 'created_at, id';

export type TimeOrder = 'newest' | 'oldest';
export const orderByTimeSql = (order: TimeOrder) => (order === 'newest' ? NEWEST : OLDEST);

/** Returns the predicate of the rows `r` after a time and an id. Within a millisecond, ids ascend in both orders. */
export function followsSql(order: TimeOrder, at: string, id: string): string {
  return order === 'newest'
    ? `r.created_at <= ${at} AND (r.created_at < ${at} OR r.id > ${id})`
    : `r.created_at >= ${at} AND (r.created_at > ${at} OR r.id > ${id})`;
}

/** Returns the predicate of the end of the window at which a scan ends. Its start is within the window (`followsSql`). */
export const isBeforeScanEndSql = (order: TimeOrder) =>
  order === 'newest' ? 'r.created_at >= :from::timestamptz' : 'r.created_at < :to::timestamptz';

/** Returns one scan per index range, each with at most the rows of the page and one more. */
export function scansSql(
  scanned: ScannedRows,
  columns: string,
  condition: string,
  orderBy: string,
): string[] {
  return alertScans(
    scanned,
    'r',
    (fromWhere) =>
      `SELECT ${columns} ${fromWhere} AND ${scanned.where} AND ${condition} ORDER BY ${orderBy} ${LIMIT}`,
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
