import type { Range } from '../access/access-scope.ts';
import { byRange, unionAll } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import {
  type AlertRelation,
  alertScans,
  ALL_ALERTS,
  currentRows,
  rowsAsOf,
  type ScannedRows,
  withChanges,
} from './alert-relations.sql.ts';
import { countedSql, countOfRowsSql, storedTotalSql, totalSql } from './counts/counted-alerts.sql.ts';
import type { CountParameters } from './counts/stored-counts.ts';
import { IN_WINDOW, type SelectionParameters } from './filters/alert-selection.ts';
import { mergedSql, NEWEST, type OrderParameters, type PageOrder, scansSql } from './order/page-order.ts';
import { hasPages, PAGE_ORDERS, type PageOrderName, SCANNED_FIELDS } from './order/page-orders.ts';

export interface PageParameters extends SelectionParameters, OrderParameters, Partial<CountParameters> {
  /** Maximum number of rows of the page; the statement reads one more, if there is one. */
  limit: number;
  /** Rows per value of the result. */
  rowsPerChunk: number;
  /** Data version of a later page. */
  seq?: number;
}

/**
 * Returns a query of the documents of a page, concatenated in chunks. `data_version` and `total` are null: only the additional row of
 * a first page has them.
 */
function docsSql({ rowsSql, orderBy }: PageOrder, scanned: readonly ScannedRows[]): string {
  return `SELECT (page.line - 1) / :rowsPerChunk::bigint AS chunk, string_agg(page.doc, ',' ORDER BY page.line) AS docs,
      count(*) AS rows, NULL::json AS data_version, NULL::bigint AS total
    FROM (SELECT found.doc, row_number() OVER (ORDER BY ${orderBy}) AS line FROM (${rowsSql(scanned)}) AS found) AS page
    GROUP BY 1`;
}

/** @param total SQL expression of the number of alerts on all pages, or of null where the statement does not count them */
function firstPageSql(order: PageOrder, alerts: AlertRelation, total: string): string {
  return `${alerts.withSql} SELECT NULL::bigint AS chunk, NULL::text AS docs, NULL::bigint AS rows,
      ${DATA_VERSION} AS data_version, ${total} AS total
    UNION ALL (${docsSql(order, [currentRows(alerts)])})`;
}

function pageAsOfSql(order: PageOrder, alerts: AlertRelation): string {
  return `${withChanges(alerts)} ${docsSql(order, rowsAsOf(alerts))}`;
}

/** Statements by order and range; undefined where a range has no pages in the order. */
type PageStatements = Record<PageOrderName, Record<Range, TenantStatement<PageParameters> | undefined>>;

/**
 * Returns a constant statement for each order and range. Two of the texts are in
 * `test/safety/__snapshots__/statement-catalog.test.ts.snap`.
 *
 * @param frequent orders whose statements are prepared. Others are not: with the indexes of a year of partitions, a plan takes 0.3 MB
 * of each connection
 */
function catalog(
  frequent: readonly PageOrderName[],
  sqlOf: (order: PageOrder, range: Range) => string,
): PageStatements {
  const names = Object.keys(PAGE_ORDERS) as PageOrderName[];
  const statements = names.map((name) => {
    const statementOfRange = byRange((range) => {
      if (!hasPages(name, range)) return undefined;
      const isPrepared = range !== 'apiKey' && frequent.includes(name);
      return new TenantStatement<PageParameters>(sqlOf(PAGE_ORDERS[name], range), { isPrepared });
    });
    return [name, statementOfRange] as const;
  });
  return Object.fromEntries(statements) as PageStatements;
}

const FREQUENT_FIRST_PAGES = [
  'newest',
  'severity',
  ...SCANNED_FIELDS.map((fields) => `newest:${fields}` as const),
] as const;

/** The first page of the current alerts, with their number and the data version that later pages are read as of. */
export const FIRST_PAGES = catalog(FREQUENT_FIRST_PAGES, (order, range) =>
  firstPageSql(order, ALL_ALERTS[range], totalSql(countedSql({ groupedBy: [] }, range))),
);

/**
 * A first page of the newest alerts, without filters and without a window, in one chunk. Most of the time of a short page is the start of
 * its plan, so this text has no conditions of filters and windows. See docs/decisions/database-access.md#what-a-page-costs.
 */
export const NEWEST_ALERTS = {
  customer: newestAlerts('customer'),
  workspaces: newestAlerts('workspaces'),
};

function newestAlerts(range: 'customer' | 'workspaces'): TenantStatement<Pick<PageParameters, 'limit'>> {
  const scans = scansSql(ALL_ALERTS[range], 'a.created_at, a.id, a.doc', 'true', NEWEST);
  return new TenantStatement(`SELECT NULL::integer AS chunk, NULL::text AS docs, NULL::bigint AS rows,
      ${DATA_VERSION} AS data_version, ${storedTotalSql(range)} AS total
    UNION ALL (SELECT 0, string_agg(found.doc, ',' ORDER BY ${NEWEST}), count(*), NULL, NULL
    FROM (${mergedSql(null, scans, NEWEST)}) AS found HAVING count(*) > 0)`);
}

/** A later page, as of the data version of the first one. */
export const PAGES_AS_OF = catalog(['newest', 'severity'], (order, range) =>
  pageAsOfSql(order, ALL_ALERTS[range]),
);

/** Returns a statement as in `FIRST_PAGES`, with text filters. The total is null unless the word index finds the alerts. */
export function firstPageWithTextFilters(
  name: PageOrderName,
  alerts: AlertRelation,
): TenantStatement<PageParameters> {
  const total = alerts.withSql === '' ? 'NULL::bigint' : totalSql(countOfRowsSql({ groupedBy: [] }, alerts));
  return new TenantStatement(firstPageSql(PAGE_ORDERS[name], alerts, total), { isPrepared: false });
}

/** Returns a statement as in `PAGES_AS_OF`, with text filters. */
export function laterPageWithTextFilters(
  name: PageOrderName,
  alerts: AlertRelation,
): TenantStatement<PageParameters> {
  return new TenantStatement(pageAsOfSql(PAGE_ORDERS[name], alerts), { isPrepared: false });
}

/** Returns a statement that counts the alerts on all pages with text filters, as of a data version. */
export function totalWithTextFilters(
  alerts: AlertRelation,
): TenantStatement<SelectionParameters & { seq: number }> {
  const counts = rowsAsOf(alerts).flatMap((scanned) =>
    alertScans(scanned, (fromWhere) => `SELECT count(*) AS n ${fromWhere} AND ${IN_WINDOW}`),
  );
  return new TenantStatement(
    `${withChanges(alerts)} SELECT sum(counted.n)::bigint AS total FROM (${unionAll(counts)}) AS counted`,
    { isPrepared: false },
  );
}
