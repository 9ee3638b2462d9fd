import type { ScannedRows } from '../scanned-rows.sql.ts';
import { followsSql, mergedSql, NEWEST, type PageOrder, scansSql } from './page-order.sql.ts';

const COLUMNS = 'r.hostname, r.created_at, r.id, r.doc';
const DESCENDING = `hostname DESC NULLS LAST, ${NEWEST}`;

interface HostnameOrder {
  direction: 'ascending' | 'descending';
  /** Whether the window is a condition. There is a separate order without one, because the planner sorts all rows of a window. */
  isWithinWindow: boolean;
}

/** Returns a query of the first rows `r` of an index range (a predicate), in an order of the index. */
type RangeSql = (range: string, orderBy: string) => string;

/**
 * Returns the order by hostname, in code point order with null last in both directions, by the indexes `alerts_by_hostname` and
 * `alerts_of_workspace_by_hostname`. The index ranges are the remaining rows of the last row's hostname, the hostnames after it, and
 * null. For all rows of a customer, descending, `rowsSql` merges three scans, each with LIMIT :limit + 1:
 *
 *     SELECT found.hostname, found.created_at, found.id, found.doc FROM (
 *       (SELECT r.hostname, r.created_at, r.id, r.doc FROM fleet.alerts r WHERE r.customer_id = :customer AND (the filters)
 *          AND r.hostname = :lastHostname AND (rows after :lastHostnameAfterAt and …Id) ORDER BY created_at DESC, id)
 *       UNION ALL (SELECT … AND r.hostname < :hostnamesBelow ORDER BY hostname DESC NULLS LAST, created_at DESC, id)
 *       UNION ALL (SELECT … AND r.hostname IS NULL AND (rows after :noHostnameAfterAt and …Id) ORDER BY …)
 *     ) AS found ORDER BY hostname DESC NULLS LAST, created_at DESC, id LIMIT :limit + 1
 */
export function byHostname({ direction, isWithinWindow }: HostnameOrder): PageOrder {
  const orderBy = direction === 'descending' ? DESCENDING : `hostname ASC NULLS LAST, ${NEWEST}`;
  const inWindowSql = isWithinWindow
    ? ' AND r.created_at >= :from::timestamptz AND r.created_at < :to::timestamptz'
    : '';
  const rowsSql = (scanned: readonly ScannedRows[]) => {
    const rangeSql: RangeSql = (range, order) => {
      const scans = scanned.flatMap((rows) => scansSql(rows, COLUMNS, range + inWindowSql, order));
      return mergedSql('hostname', scans, order);
    };
    const following =
      direction === 'descending'
        ? rangeSql('r.hostname < :hostnamesBelow::text', DESCENDING)
        : ascendingHostnamesSql(rangeSql);
    const ranges = [lastHostnameSql(rangeSql), following, withoutHostnameSql(rangeSql)];
    return mergedSql('hostname', ranges, orderBy);
  };
  return { orderBy, rowsSql };
}

/** Returns the remaining rows of the last row's hostname, by time: by hostname, PostgreSQL would sort the rows of its scans. */
function lastHostnameSql(rangeSql: RangeSql): string {
  const isAfterSql = followsSql('newest', ':lastHostnameAfterAt::timestamptz', ':lastHostnameAfterId::uuid');
  return rangeSql(`r.hostname = :lastHostname::text AND ${isAfterSql}`, NEWEST);
}

/**
 * Returns the rows without a hostname. They are sorted as for descending hostnames in both directions: the index has no order for
 * ascending ones, so PostgreSQL would sort all of these rows.
 */
function withoutHostnameSql(rangeSql: RangeSql): string {
  const isAfterSql = followsSql('newest', ':noHostnameAfterAt::timestamptz', ':noHostnameAfterId::uuid');
  return rangeSql(`r.hostname IS NULL AND ${isAfterSql}`, DESCENDING);
}

/**
 * Returns the rows of the following hostnames, ascending. A forward scan of the index returns the rows of each hostname oldest first.
 * It contains all rows of the page, except that of its last hostname it may have read only the oldest rows. So the rows of that
 * hostname are read again, newest first.
 */
function ascendingHostnamesSql(rangeSql: RangeSql): string {
  const last = '(SELECT max(hostname) FROM forward)';
  return `WITH forward AS MATERIALIZED (${rangeSql('r.hostname >= :hostnamesFrom::text', 'hostname NULLS FIRST')})
    SELECT hostname, created_at, id, doc FROM forward WHERE hostname < ${last}
    UNION ALL (${rangeSql(`r.hostname = ${last}`, NEWEST)})`;
}
