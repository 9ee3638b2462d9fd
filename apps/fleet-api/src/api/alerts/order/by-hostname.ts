import { HOSTNAME_LENGTH } from '../../../model/text-lengths.ts';
import type { ScannedRows } from '../alert-relations.sql.ts';
import { IN_WINDOW } from '../filters/alert-selection.ts';
import type { SortKey } from './alert-sorts.ts';
import {
  type AlertListing,
  followsSql,
  mergedSql,
  NEWEST,
  type OrderParameters,
  type PageOrder,
  scansSql,
  scanStart,
} from './page-order.ts';

const COLUMNS = 'a.hostname, a.created_at, a.id, a.doc';
const DESCENDING = `hostname DESC NULLS LAST, ${NEWEST}`;
/** A text that is greater than every hostname. */
const AFTER_HOSTNAMES = '\u{10ffff}'.repeat(HOSTNAME_LENGTH + 1);

interface HostnameOrder {
  direction: 'ascending' | 'descending';
  /** Whether the window is a condition. There is a separate order without one, because the planner sorts all rows of a window. */
  isWithinWindow: boolean;
}

/** Returns a query of the first rows `a` of an index range (a predicate), in an order of the index. */
type RangeSql = (range: string, orderBy: string) => string;

/**
 * Returns the order by hostname, in code point order with null last in both directions, by the indexes `alerts_by_hostname` and
 * `alerts_of_workspace_by_hostname`. The index ranges are the remaining rows of the last row's hostname, the hostnames after it, and
 * null. For all rows of a customer, descending, `rowsSql` merges three scans, each with LIMIT :limit + 1:
 *
 *     SELECT found.hostname, found.created_at, found.id, found.doc FROM (
 *       (SELECT a.hostname, a.created_at, a.id, a.doc FROM fleet.alerts a WHERE a.customer_id = :customer AND (the filters)
 *          AND a.hostname = :lastHostname AND (rows after :lastHostnameAfterAt and …Id) ORDER BY created_at DESC, id)
 *       UNION ALL (SELECT … AND a.hostname < :hostnamesBelow ORDER BY hostname DESC NULLS LAST, created_at DESC, id)
 *       UNION ALL (SELECT … AND a.hostname IS NULL AND (rows after :noHostnameAfterAt and …Id) ORDER BY …)
 *     ) AS found ORDER BY hostname DESC NULLS LAST, created_at DESC, id LIMIT :limit + 1
 */
export function byHostname({ direction, isWithinWindow }: HostnameOrder): PageOrder {
  const orderBy = direction === 'descending' ? DESCENDING : `hostname ASC NULLS LAST, ${NEWEST}`;
  const inWindowSql = isWithinWindow ? ` AND ${IN_WINDOW}` : '';
  const rowsSql = (scanned: readonly ScannedRows[]) => {
    const rangeSql: RangeSql = (range, order) => {
      const scans = scanned.flatMap((rows) => scansSql(rows, COLUMNS, range + inWindowSql, order));
      return mergedSql('hostname', scans, order);
    };
    const following =
      direction === 'descending'
        ? rangeSql('a.hostname < :hostnamesBelow::text', DESCENDING)
        : ascendingHostnamesSql(rangeSql);
    const ranges = [lastHostnameSql(rangeSql), following, withoutHostnameSql(rangeSql)];
    return mergedSql('hostname', ranges, orderBy);
  };
  return { orderBy, scannedFields: [], rowsSql, parameters: hostnameParameters };
}

/** Returns the remaining rows of the last row's hostname, by time: by hostname, PostgreSQL would sort the rows of its scans. */
function lastHostnameSql(rangeSql: RangeSql): string {
  const isAfterSql = followsSql('newest', ':lastHostnameAfterAt::timestamptz', ':lastHostnameAfterId::uuid');
  return rangeSql(`a.hostname = :lastHostname::text AND ${isAfterSql}`, NEWEST);
}

/**
 * Returns the rows without a hostname. They are sorted as for descending hostnames in both directions: the index has no order for
 * ascending ones, so PostgreSQL would sort all of these rows.
 */
function withoutHostnameSql(rangeSql: RangeSql): string {
  const isAfterSql = followsSql('newest', ':noHostnameAfterAt::timestamptz', ':noHostnameAfterId::uuid');
  return rangeSql(`a.hostname IS NULL AND ${isAfterSql}`, DESCENDING);
}

/**
 * Returns the rows of the following hostnames, ascending. A forward scan of the index returns the rows of each hostname oldest first.
 * It contains all rows of the page, except that of its last hostname it may have read only the oldest rows. So the rows of that
 * hostname are read again, newest first.
 */
function ascendingHostnamesSql(rangeSql: RangeSql): string {
  const last = '(SELECT max(hostname) FROM forward)';
  return `WITH forward AS MATERIALIZED (${rangeSql('a.hostname >= :hostnamesFrom::text', 'hostname NULLS FIRST')})
    SELECT hostname, created_at, id, doc FROM forward WHERE hostname < ${last}
    UNION ALL (${rangeSql(`a.hostname = ${last}`, NEWEST)})`;
}

function hostnameParameters({ selection }: AlertListing, after: SortKey | null): OrderParameters {
  /** Undefined on the first page, null after all hostnames. */
  const hostname = after?.[0] as string | null | undefined;
  const start = scanStart(selection, 'newest', after);
  const startWithoutHostname = scanStart(selection, 'newest', hostname === null ? after : null);
  return {
    lastHostname: hostname ?? null,
    lastHostnameAfterAt: start.at,
    lastHostnameAfterId: start.id,
    ...followingHostnames(hostname),
    noHostnameAfterAt: startWithoutHostname.at,
    noHostnameAfterId: startWithoutHostname.id,
  };
}

function followingHostnames(hostname: string | null | undefined) {
  if (hostname === undefined) return { hostnamesFrom: '', hostnamesBelow: AFTER_HOSTNAMES };
  if (hostname === null) return { hostnamesFrom: AFTER_HOSTNAMES, hostnamesBelow: '' };
  // The next text in code point order is the hostname with U+0001 appended, because PostgreSQL stores no U+0000.
  return { hostnamesFrom: `${hostname}\u{1}`, hostnamesBelow: hostname };
}
