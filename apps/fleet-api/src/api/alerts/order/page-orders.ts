import { type Range, unionAll } from '../../access/tenant-statement.ts';
import { alertScans, type AlertTable } from '../alert-scans.sql.ts';
import type { ValueField } from './alert-sorts.ts';

/** Alerts in scope, or their past states. */
export interface Source extends AlertTable {
  range: Range;
  /** Condition of the rows `r`. */
  where: string;
}

/**
 * How the rows of a page are read and sorted: by time; by the values of a field, in the order of the values or of time; or by
 * hostname, of all time or within a window. Rows with equal values are sorted by time, newest first, then by id.
 */
export interface PageOrder {
  orderBy: string;
  /** Returns a query for the first rows of all sources and, like each source, one row more than the page, if there is one. */
  rowsSql(sources: readonly Source[]): string;
}

const LIMIT = 'LIMIT :limit::integer + 1';
const NEWEST = 'created_at DESC, id';
const OLDEST = 'created_at, id';

/** Returns the predicate of the rows `r` after a time and an id. Ids ascend within a millisecond in both directions of time. */
function follows(at: string, id: string, isDescending: boolean): string {
  const [upTo, beyond] = isDescending ? ['<=', '<'] : ['>=', '>'];
  return `r.created_at ${upTo} ${at} AND (r.created_at ${beyond} ${at} OR r.id > ${id})`;
}

/** Returns the predicate of the end of the window at which a scan ends: its bound is within the window. */
const isBeforeScanEnd = (isDescending: boolean) =>
  isDescending ? 'r.created_at >= :from::timestamptz' : 'r.created_at < :to::timestamptz';

/** Returns scans of one source, each in an order of an index. */
function scansSql(source: Source, columns: string, condition: string, orderBy: string): string[] {
  return alertScans(
    source,
    'r',
    source.range,
    (fromWhere) =>
      `SELECT ${columns} ${fromWhere} AND ${source.where} AND ${condition} ORDER BY ${orderBy} ${LIMIT}`,
  );
}

/** Merges scans. */
function mergedSql(leading: 'rank' | 'hostname' | null, scans: readonly string[], orderBy: string): string {
  const [first] = scans;
  if (first !== undefined && scans.length === 1) return first;
  return `SELECT ${leading === null ? '' : `found.${leading}, `}found.created_at, found.id, found.doc
    FROM (${unionAll(scans)}) AS found ORDER BY ${orderBy} ${LIMIT}`;
}

/** Indexes `alerts_newest`, `alerts_newest_of_workspace` and `alerts_of_key`. Parameters: the row that the page starts after. */
function byTime(isDescending: boolean): PageOrder {
  const orderBy = isDescending ? NEWEST : OLDEST;
  const condition = `${follows(':afterAt::timestamptz', ':afterId::uuid', isDescending)} AND ${isBeforeScanEnd(isDescending)}`;
  return {
    orderBy,
    rowsSql: (sources) =>
      mergedSql(
        null,
        sources.flatMap((source) => scansSql(source, 'r.created_at, r.id, r.doc', condition, orderBy)),
        orderBy,
      ),
  };
}

/** The parameter with the values of a field, one per scan. */
const SCANNED = {
  type: ':scannedTypes::text[]',
  severity: ':scannedSeverities::smallint[]',
  state: ':scannedStates::smallint[]',
} as const satisfies Record<ValueField, string>;

/**
 * One scan per value, or combination of values, after its bound: indexes `alerts_by_…` and `alerts_of_workspace_by_…`.
 * PostgreSQL stops when the page is full, before the remaining scans.
 *
 * @param order in the order of the values, or of time
 */
function byValues(fields: readonly ValueField[], order: 'values' | 'newest' | 'oldest'): PageOrder {
  const isDescending = order !== 'oldest';
  const time = isDescending ? NEWEST : OLDEST;
  const orderBy = order === 'values' ? `rank, ${NEWEST}` : time;
  const listed = fields.map((field) => SCANNED[field]).join(', ');
  const isOfScan = fields.map((field) => `r.${field} = scan.${field}`).join(' AND ');
  const condition = `${isOfScan} AND ${follows('scan.after_at', 'scan.after_id', isDescending)} AND ${isBeforeScanEnd(isDescending)}`;
  const scan = (source: Source) => `SELECT scan.rank, found.created_at, found.id, found.doc
     FROM unnest(${listed}, :scannedAfterAts::timestamptz[], :scannedAfterIds::uuid[])
       WITH ORDINALITY AS scan (${fields.join(', ')}, after_at, after_id, rank)
     CROSS JOIN LATERAL (${unionAll(scansSql(source, 'r.created_at, r.id, r.doc', condition, time))}) AS found
     ORDER BY ${orderBy} ${LIMIT}`;
  return {
    orderBy,
    rowsSql: (sources) => mergedSql(order === 'values' ? 'rank' : null, sources.map(scan), orderBy),
  };
}

const HOST_COLUMNS = 'r.hostname, r.created_at, r.id, r.doc';
const BY_HOSTNAME_DESCENDING = `hostname DESC NULLS LAST, ${NEWEST}`;

/**
 * In code point order, null last both ways: indexes `alerts_by_hostname` and `alerts_of_workspace_by_hostname`. The index ranges
 * are the rest of the last row's hostname, the hostnames after it, and null.
 *
 * @param isWithinWindow the planner sorts the rows of a window, so there is another statement for all of time
 */
function byHostname(isDescending: boolean, isWithinWindow: boolean): PageOrder {
  const orderBy = `hostname ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, ${NEWEST}`;
  const window = isWithinWindow
    ? ' AND r.created_at >= :from::timestamptz AND r.created_at < :to::timestamptz'
    : '';
  /** A range of one hostname must be in the order of time: PostgreSQL would not merge its scans by hostname, but sort their rows. */
  const scans = (sources: readonly Source[], range: string, order: string) =>
    mergedSql(
      'hostname',
      sources.flatMap((source) => scansSql(source, HOST_COLUMNS, range + window, order)),
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
            ? scans(sources, 'r.hostname < :hostnamesBelow::text', BY_HOSTNAME_DESCENDING)
            : ascendingHostnames(sources, scans),
          // For both directions of the sort: by ascending hostname, the index is in another order, and PostgreSQL would sort
          // all rows without a hostname.
          scans(sources, without, BY_HOSTNAME_DESCENDING),
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

/** Orders by time that scan each value of a filter. The alerts of an API key are scanned once (`order-parameters.ts`). */
const FILTERED_ORDERS = {
  newestOfSeverities: byValues(['severity'], 'newest'),
  newestOfTypes: byValues(['type'], 'newest'),
  newestOfTypesAndSeverities: byValues(['type', 'severity'], 'newest'),
  newestOfStates: byValues(['state'], 'newest'),
  oldestOfSeverities: byValues(['severity'], 'oldest'),
  oldestOfTypes: byValues(['type'], 'oldest'),
  oldestOfTypesAndSeverities: byValues(['type', 'severity'], 'oldest'),
  oldestOfStates: byValues(['state'], 'oldest'),
} as const satisfies Record<string, PageOrder>;

/** All orders, by name. */
export const PAGE_ORDERS = {
  newest: byTime(true),
  oldest: byTime(false),
  severity: byValues(['severity'], 'values'),
  type: byValues(['type'], 'values'),
  state: byValues(['state'], 'values'),
  ...FILTERED_ORDERS,
  hostname: byHostname(false, false),
  hostnameDescending: byHostname(true, false),
  hostnameInWindow: byHostname(false, true),
  hostnameDescendingInWindow: byHostname(true, true),
} as const satisfies Record<string, PageOrder>;
export type PageOrderName = keyof typeof PAGE_ORDERS;

/** Returns whether a statement has pages of a range in an order. */
export function hasPages(name: PageOrderName, range: Range): boolean {
  return range !== 'key' || !(name in FILTERED_ORDERS);
}
