import { follows, mergedSql, NEWEST, type PageOrder, scansSql, type Source } from './page-order.sql.ts';

const COLUMNS = 'r.hostname, r.created_at, r.id, r.doc';
const DESCENDING = `hostname DESC NULLS LAST, ${NEWEST}`;

interface HostnameOrder {
  direction: 'ascending' | 'descending';
  /** The planner sorts the rows of a window, so there is another statement for all of time. */
  isWithinWindow: boolean;
}

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
  const isDescending = direction === 'descending';
  const orderBy = `hostname ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, ${NEWEST}`;
  const window = isWithinWindow
    ? ' AND r.created_at >= :from::timestamptz AND r.created_at < :to::timestamptz'
    : '';
  /** A range of one hostname must be in the order of time: PostgreSQL would not merge its scans by hostname, but sort their rows. */
  const scans = (sources: readonly Source[], range: string, order: string) =>
    mergedSql(
      'hostname',
      sources.flatMap((source) => scansSql(source, COLUMNS, range + window, order)),
      order,
    );
  return {
    orderBy,
    rowsSql(sources) {
      const ofLast = `r.hostname = :lastHostname::text AND ${follows(':lastHostnameAfterAt::timestamptz', ':lastHostnameAfterId::uuid', true)}`;
      const without = `r.hostname IS NULL AND ${follows(':noHostnameAfterAt::timestamptz', ':noHostnameAfterId::uuid', true)}`;
      return mergedSql(
        'hostname',
        [
          scans(sources, ofLast, NEWEST),
          isDescending
            ? scans(sources, 'r.hostname < :hostnamesBelow::text', DESCENDING)
            : ascendingHostnames(sources, scans),
          // For both directions of the sort: by ascending hostname, the index is in another order, and PostgreSQL would sort
          // all rows without a hostname.
          scans(sources, without, DESCENDING),
        ],
        orderBy,
      );
    },
  };
}

/**
 * The index has the newest row of a hostname last, so a forward scan returns the rows of each in the wrong order. It contains
 * all rows of the page, except for those of its last hostname, of which it may have read only the oldest. They are read
 * backward.
 */
function ascendingHostnames(
  sources: readonly Source[],
  scans: (sources: readonly Source[], range: string, order: string) => string,
): string {
  const last = '(SELECT max(hostname) FROM forward)';
  return `WITH forward AS MATERIALIZED (${scans(sources, 'r.hostname >= :hostnamesFrom::text', 'hostname NULLS FIRST')})
    SELECT hostname, created_at, id, doc FROM forward WHERE hostname < ${last}
    UNION ALL (${scans(sources, `r.hostname = ${last}`, NEWEST)})`;
}
