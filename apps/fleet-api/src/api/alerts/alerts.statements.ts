import { byRange, type Range, TenantStatement, unionAll } from '../access/tenant-statement.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import { ALERT_COLUMNS } from './alert-columns.ts';
import { type AlertRelation, alertScans, ALL_ALERTS } from './alert-scans.sql.ts';
import { countedSql, countOfRowsSql, totalSql } from './counts/alert-counts.statements.ts';
import type { CountParameters } from './counts/stored-counts.ts';
import { hasSelectedValues, hasSelectedValuesOfKey } from './filters/alert-predicate.ts';
import type { OrderParameters } from './order/order-parameters.ts';
import type { PageOrder, Source } from './order/page-order.sql.ts';
import { hasPages, PAGE_ORDERS, type PageOrderName, SCANNED_FIELDS } from './order/page-orders.ts';
import type { SelectedValues } from './value-fields.ts';

export interface PageParameters
  extends OrderParameters, SelectedValues, Partial<Omit<CountParameters, 'from' | 'to'>> {
  /** Maximum number of rows of the page; the statement reads one more, if there is one. */
  limit: number;
  /** Rows per value of the result. */
  rowsPerChunk: number;
  /** Data version of a later page. */
  seq?: number;
}

/** The alerts of a scope that a statement reads. */
export interface SelectedAlerts {
  range: Range;
  alerts: AlertRelation;
}

/** Returns the current alerts. */
function currentSource({ range, alerts }: SelectedAlerts): Source {
  const { table, hasWorkspaceIndex, textPredicate } = alerts;
  const isSelected = range === 'key' ? hasSelectedValuesOfKey('r') : hasSelectedValues('r');
  return { table, hasWorkspaceIndex, range, where: `${isSelected} AND ${textPredicate('r')}` };
}

/** Maximum number of changed states that are read at once. Above it, past states are scanned in page order. */
const CHANGES_THRESHOLD = 4_000;

/**
 * The past states that ended after the first page was read, by `alert_past_states_by_end`: a scan in the order of the page would
 * skip most past states of a day one by one.
 */
const CHANGES = `changes AS MATERIALIZED (
    SELECT ${[...ALERT_COLUMNS, 'since_seq', 'until_seq'].map((column) => `p.${column}`).join(', ')}
    FROM fleet.alert_past_states p
    WHERE p.customer_id = :customer AND p.until_seq > :seq::bigint ORDER BY p.until_seq LIMIT ${CHANGES_THRESHOLD}
  )`;
const ARE_ALL_CHANGES = `(SELECT count(*) < ${CHANGES_THRESHOLD} FROM changes)`;

/**
 * Returns the alerts as of a data version: those that have not changed since, and the past states of those that have. No alert
 * is in two sources.
 */
function sourcesAsOf(selected: SelectedAlerts): Source[] {
  const { range, alerts } = selected;
  const current = currentSource(selected);
  const pastStates = `${hasSelectedValues('r')} AND ${alerts.pastTextPredicate('r')}
    AND r.seq <= :seq::bigint AND r.since_seq <= :seq::bigint AND r.until_seq > :seq::bigint`;
  return [
    { ...current, where: `${current.where} AND r.seq <= :seq::bigint AND r.state_seq <= :seq::bigint` },
    { table: 'changes', hasWorkspaceIndex: false, range, where: `${ARE_ALL_CHANGES} AND ${pastStates}` },
    {
      table: 'fleet.alert_past_states',
      hasWorkspaceIndex: false,
      range,
      where: `NOT ${ARE_ALL_CHANGES} AND ${pastStates}`,
    },
  ];
}

function withChanges({ alerts: { withSql } }: SelectedAlerts): string {
  return withSql === '' ? `WITH ${CHANGES}` : `${withSql}, ${CHANGES}`;
}

/**
 * Concatenates the documents of a page in chunks. The last two columns are null: they belong to the first row of a first page.
 */
function docsSql({ rowsSql, orderBy }: PageOrder, sources: readonly Source[]): string {
  return `SELECT (page.line - 1) / :rowsPerChunk::bigint AS chunk, string_agg(page.doc, ',' ORDER BY page.line) AS docs,
      count(*) AS rows, NULL::json AS data_version, NULL::bigint AS total
    FROM (SELECT found.doc, row_number() OVER (ORDER BY ${orderBy}) AS line FROM (${rowsSql(sources)}) AS found) AS page
    GROUP BY 1`;
}

/** @param total expression; null where the page's statement does not count */
function firstPageSql(order: PageOrder, selected: SelectedAlerts, total: string): string {
  return `${selected.alerts.withSql} SELECT NULL::bigint AS chunk, NULL::text AS docs, NULL::bigint AS rows,
      ${DATA_VERSION} AS data_version, ${total} AS total
    UNION ALL (${docsSql(order, [currentSource(selected)])})`;
}

function pageAsOfSql(order: PageOrder, selected: SelectedAlerts): string {
  return `${withChanges(selected)} ${docsSql(order, sourcesAsOf(selected))}`;
}

/** Undefined where a range has no pages in the order. */
type PageStatements = Record<PageOrderName, Record<Range, TenantStatement<PageParameters> | undefined>>;

/**
 * Returns a constant statement for each order and range. Two of the texts are in
 * `test/safety/__snapshots__/statement-catalog.test.ts.snap`. The frequent ones are prepared: with the indexes of a year of partitions, a
 * plan takes 0.3 MB of each connection.
 */
function catalog(
  prepared: readonly PageOrderName[],
  sqlOf: (order: PageOrder, range: Range) => string,
): PageStatements {
  const names = Object.keys(PAGE_ORDERS) as PageOrderName[];
  const statements = names.map((name) => {
    const ofOrder = byRange((range) => {
      if (!hasPages(name, range)) return undefined;
      const isPrepared = range !== 'key' && prepared.includes(name);
      return new TenantStatement<PageParameters>(sqlOf(PAGE_ORDERS[name], range), { isPrepared });
    });
    return [name, ofOrder] as const;
  });
  return Object.fromEntries(statements) as PageStatements;
}

const FREQUENT = [
  'newest',
  'severity',
  ...SCANNED_FIELDS.map((fields) => `newest:${fields}` as const),
] as const;

/** The first page of the current alerts, their number, and the data version that later pages are read as of. */
export const FIRST_PAGES = catalog(FREQUENT, (order, range) =>
  firstPageSql(order, { range, alerts: ALL_ALERTS }, totalSql(countedSql({ by: [] }, range))),
);

/** A later page, as of the data version of the first one. */
export const PAGES_AS_OF = catalog(['newest', 'severity'], (order, range) =>
  pageAsOfSql(order, { range, alerts: ALL_ALERTS }),
);

/** Returns a statement of `FIRST_PAGES` with text filters. The total is null unless the alerts are found by their words. */
export function firstPageOfTexts(
  name: PageOrderName,
  selected: SelectedAlerts,
): TenantStatement<PageParameters> {
  const { alerts, range } = selected;
  const total = alerts.withSql === '' ? 'NULL::bigint' : totalSql(countOfRowsSql({ by: [] }, alerts, range));
  return new TenantStatement(firstPageSql(PAGE_ORDERS[name], selected, total), { isPrepared: false });
}

/** Returns a statement of `PAGES_AS_OF` with text filters. */
export function pageOfTextsAsOf(
  name: PageOrderName,
  selected: SelectedAlerts,
): TenantStatement<PageParameters> {
  return new TenantStatement(pageAsOfSql(PAGE_ORDERS[name], selected), { isPrepared: false });
}

/** Returns a statement of the number of alerts that pages with text filters contain, as of a data version. */
export function totalOfTextsAsOf(
  selected: SelectedAlerts,
): TenantStatement<SelectedValues & { seq: number; from: Date; to: Date }> {
  const counts = sourcesAsOf(selected).flatMap((source) =>
    alertScans(
      source,
      'r',
      source.range,
      (fromWhere) =>
        `SELECT count(*) AS n ${fromWhere} AND ${source.where} AND r.created_at >= :from::timestamptz AND r.created_at < :to::timestamptz`,
    ),
  );
  return new TenantStatement(
    `${withChanges(selected)} SELECT sum(counted.n)::bigint AS total FROM (${unionAll(counts)}) AS counted`,
    { isPrepared: false },
  );
}
