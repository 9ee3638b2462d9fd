import type { ScannedRows } from '../scanned-rows.sql.ts';
import { follows, mergedSql, NEWEST, type PageOrder, scansSql } from './page-order.sql.ts';

const COLUMNS = 'r.hostname, r.created_at, r.id, r.doc';
const DESCENDING = `hostname DESC NULLS LAST, ${NEWEST}`;

interface HostnameOrder {
  direction: 'ascending' | 'descending';
  /** The planner sorts the rows of a window, so there is another statement for all of time. */
  isWithinWindow: boolean;
}

/** Returns a query of the first rows `r` of an index range in an order of the index. */
type RangeSql = (range: string, orderBy: string) => string;

/**
 * Sorts in code point order, null last both ways: indexes `alerts_by_hostname` and `alerts_of_workspace_by_hostname`. The index
 * ranges are the rest of the last row's hostname, the hostnames after it, and null. For all rows of a customer, descending,
 * `rowsSql` merges three scans, each with LIMIT :limit + 1:
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
  const isInWindow = isWithinWindow
    ? ' AND r.created_at >= :from::timestamptz AND r.created_at < :to::timestamptz'
    : '';
  const rowsSql = (scanned: readonly ScannedRows[]) => {
    const rangeSql: RangeSql = (range, order) => {
      const scans = scanned.flatMap((rows) => scansSql(rows, COLUMNS, range + isInWindow, order));
      return mergedSql('hostname', scans, order);
    };
    const following =
      direction === 'descending'
        ? rangeSql('r.hostname < :hostnamesBelow::text', DESCENDING)
        : ascendingHostnames(rangeSql);
    return mergedSql('hostname', [ofLastHostname(rangeSql), following, withoutHostname(rangeSql)], orderBy);
  };
  return { orderBy, rowsSql };
}

/** Sorts one hostname by time: PostgreSQL would not merge its scans by hostname, but sort their rows. */
function ofLastHostname(rangeSql: RangeSql): string {
  const isAfter = follows('newest', ':lastHostnameAfterAt::timestamptz', ':lastHostnameAfterId::uuid');
  return rangeSql(`r.hostname = :lastHostname::text AND ${isAfter}`, NEWEST);
}

/**
 * Sorts as for descending hostnames in both directions: for ascending ones, the index is in another order, and PostgreSQL would
 * sort all rows without a hostname.
 */
function withoutHostname(rangeSql: RangeSql): string {
  const isAfter = follows('newest', ':noHostnameAfterAt::timestamptz', ':noHostnameAfterId::uuid');
  return rangeSql(`r.hostname IS NULL AND ${isAfter}`, DESCENDING);
}

/**
 * The index has the newest row of a hostname last, so a forward scan returns the rows of each in the wrong order. It contains
 * all rows of the page, except for those of its last hostname, of which it may have read only the oldest. They are read
 * backward.
 */
function ascendingHostnames(rangeSql: RangeSql): string {
  const last = '(SELECT max(hostname) FROM forward)';
  return `WITH forward AS MATERIALIZED (${rangeSql('r.hostname >= :hostnamesFrom::text', 'hostname NULLS FIRST')})
    SELECT hostname, created_at, id, doc FROM forward WHERE hostname < ${last}
    UNION ALL (${rangeSql(`r.hostname = ${last}`, NEWEST)})`;
}
