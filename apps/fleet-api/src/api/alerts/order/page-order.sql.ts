import { type Range, unionAll } from '../../access/tenant-statement.ts';
import { alertScans, type ScannedTable } from '../alert-scans.sql.ts';

/** Alerts in scope, or their past states. */
export interface Source extends ScannedTable {
  range: Range;
  /** Condition of the rows `r`. */
  where: string;
}

/** How the rows of a page are read and sorted. */
export interface PageOrder {
  orderBy: string;
  /** Returns a query for the first rows of all sources and, like each source, one row more than the page, if there is one. */
  rowsSql(sources: readonly Source[]): string;
}

export const LIMIT = 'LIMIT :limit::integer + 1';
/** Order of rows with equal values: by time, then by id. */
export const NEWEST = 'created_at DESC, id';
export const OLDEST = 'created_at, id';

/** Returns the predicate of the rows `r` after a time and an id. Ids ascend within a millisecond in both directions of time. */
export function follows(at: string, id: string, isDescending: boolean): string {
  const [upTo, beyond] = isDescending ? ['<=', '<'] : ['>=', '>'];
  return `r.created_at ${upTo} ${at} AND (r.created_at ${beyond} ${at} OR r.id > ${id})`;
}

/** Returns the predicate of the end of the window at which a scan ends: its bound is within the window. */
export const isBeforeScanEnd = (isDescending: boolean) =>
  isDescending ? 'r.created_at >= :from::timestamptz' : 'r.created_at < :to::timestamptz';

/** Returns scans of one source, each in an order of an index. */
export function scansSql(source: Source, columns: string, condition: string, orderBy: string): string[] {
  return alertScans(
    source,
    'r',
    source.range,
    (fromWhere) =>
      `SELECT ${columns} ${fromWhere} AND ${source.where} AND ${condition} ORDER BY ${orderBy} ${LIMIT}`,
  );
}

/** Merges scans. */
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
