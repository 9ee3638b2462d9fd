import { epochMsSql } from '../../../model/epoch-ms.sql.ts';
import {
  byRange,
  isReadable,
  type Range,
  scansOf,
  TenantStatement,
  unionAll,
} from '../../access/tenant-statement.ts';
import { DATA_VERSION } from '../../data-version/data-version.ts';
import { type AlertRelation, alertScans, ALL_ALERTS } from '../alert-scans.sql.ts';
import { hasSelectedValues } from '../filters/alert-predicate.ts';
import type { SelectedValues, ValueField } from '../value-fields.ts';
import type { CountParameters } from './stored-counts.ts';

/** The columns of a sum: those it groups by, and whether it has a row per `:unit`. */
interface Columns {
  by: readonly ValueField[];
  inBuckets?: boolean;
}

export type CountStatementParameters = CountParameters & SelectedValues & { unit?: string };

/** The start of a bucket in UTC. `date_trunc` takes twice as long. */
const bucketSql = (at: string) => `date_bin(:unit::interval, ${at}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** Returns a list of columns to select before others. */
const listed = (by: readonly ValueField[], alias: string) =>
  by.map((column) => `${alias}.${column}, `).join('');

/** The counts `c` of a scope: of a customer, of each of its workspaces, or of an API key in workspaces. */
const STORED_SCOPE: Record<Range, string> = {
  customer: 'c.scope_id = 0',
  workspaces: 'c.scope_id = ANY (:workspaces::integer[])',
  key: `c.scope_id = :apiKey AND ${isReadable('c.workspace_id')}`,
};

/** Reads one range of the primary key per span. The total is one row. */
function storedSql({ by, inBuckets = false }: Columns, range: Range): string {
  const n = by.length === 0 ? 'sum(c.n * span.sign)::bigint' : 'c.n * span.sign';
  return `SELECT ${listed(by, 'c')}${n} AS n${inBuckets ? `, ${bucketSql('c.bucket')} AS bucket` : ''}
    FROM unnest(:countKinds::smallint[], :countGrains::smallint[], :countFroms::timestamptz[], :countTos::timestamptz[], :countSigns::smallint[])
      AS span (kind, grain, from_at, to_at, sign)
    JOIN fleet.alert_counts c ON c.customer_id = :customer AND c.scope_kind = span.kind AND ${STORED_SCOPE[range]}
      AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at AND ${hasSelectedValues('c')}`;
}

/** Counts the rows `a` from one time to another. */
function rowsSql({ by, inBuckets = false }: Columns, fromWhere: string, from: string, to: string): string {
  const bucket = inBuckets ? [bucketSql('a.created_at')] : [];
  const groups = [...by.map((column) => `a.${column}`), ...bucket];
  return `SELECT ${listed(by, 'a')}count(*) AS n${bucket.map((at) => `, ${at} AS bucket`).join('')} ${fromWhere}
      AND a.created_at >= ${from} AND a.created_at < ${to} AND ${hasSelectedValues('a')}
    ${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}`;
}

/**
 * Counts the rows at the edges of the window, by `alerts_newest`, `alerts_newest_of_workspace` or `alerts_of_key`. Each span is
 * within one bucket: without it, the planner expects few groups, and PostgreSQL allocates small hash tables.
 */
function edgesSql({ by, inBuckets = false }: Columns, range: Range): string {
  const parts = alertScans(ALL_ALERTS, 'a', range, (fromWhere) =>
    rowsSql({ by }, fromWhere, 'span.from_at', 'span.to_at'),
  );
  return `SELECT ${listed(by, 'part')}part.n * span.sign AS n${inBuckets ? `, ${bucketSql('span.from_at')}` : ''}
    FROM unnest(:edgeFroms::timestamptz[], :edgeTos::timestamptz[], :edgeSigns::smallint[]) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (${unionAll(parts)}) AS part`;
}

/** Returns a query that counts all rows of the window. @param condition in place of the text filters */
export function countOfRowsSql(
  columns: Columns,
  alerts: AlertRelation,
  range: Range,
  condition = alerts.textPredicate('a'),
): string {
  const counts = alertScans(alerts, 'a', range, (fromWhere) =>
    rowsSql(columns, `${fromWhere} AND ${condition}`, ':from::timestamptz', ':to::timestamptz'),
  );
  return unionAll(counts);
}

/**
 * Returns a query of the numbers of selected alerts: the columns to group by, `n` and the bucket. Whole buckets are read from
 * `fleet.alert_counts`, the rest of the window from the alerts. A group may have several rows, with negative numbers too. The total
 * of a customer is in `test/safety/__snapshots__/statement-catalog.test.ts.snap`, as a part of the first page.
 */
export function countedSql(columns: Columns, range: Range): string {
  const counted = `${storedSql(columns, range)} UNION ALL ${edgesSql(columns, range)}`;
  // Workspaces have no counts of a type by hour, and API keys have none by hour. PostgreSQL reads no row if the parameter is false.
  return range !== 'customer' && columns.inBuckets
    ? `${counted} UNION ALL ${countOfRowsSql(columns, ALL_ALERTS, range, ':countsAllRows::boolean')}`
    : counted;
}

/** Returns the sum of all rows of `countedSql`, as a subselect. */
export function totalSql(counted: string): string {
  return `(SELECT coalesce(sum(counted.n), 0)::bigint FROM (${counted}) AS counted)`;
}

const BY_VALUES: Columns = { by: ['severity', 'state', 'type'] };
const BY_SEVERITY_IN_BUCKETS: Columns = { by: ['severity'], inBuckets: true };

/** Returns a statement of the counts by severity, state and type. */
function summarySql(counted: string): string {
  return `SELECT coalesce(json_agg(json_build_array(found.severity, found.state, found.type, found.n)), '[]') AS rows,
      ${DATA_VERSION} AS data_version
    FROM (
      SELECT counted.severity, counted.state, counted.type, sum(counted.n) AS n FROM (${counted}) AS counted
      GROUP BY counted.severity, counted.state, counted.type HAVING sum(counted.n) <> 0
    ) AS found`;
}

/** Returns a statement of the counts by bucket, then severity. */
function trendSql(counted: string): string {
  return `SELECT coalesce(json_agg(json_build_array(${epochMsSql('found.bucket')}, found.severity, found.n)
        ORDER BY found.bucket, found.severity), '[]') AS rows,
      ${DATA_VERSION} AS data_version
    FROM (
      SELECT counted.bucket, counted.severity, sum(counted.n) AS n FROM (${counted}) AS counted
      GROUP BY counted.bucket, counted.severity HAVING sum(counted.n) > 0
    ) AS found`;
}

type Counts = TenantStatement<CountStatementParameters>;

export const SUMMARY: Record<Range, Counts> = byRange(
  (range) => new TenantStatement(summarySql(countedSql(BY_VALUES, range))),
);
export const TREND: Record<Range, Counts> = byRange(
  (range) => new TenantStatement(trendSql(countedSql(BY_SEVERITY_IN_BUCKETS, range))),
);
export const TOTAL: Record<Range, Counts> = byRange(
  (range) => new TenantStatement(`SELECT ${totalSql(countedSql({ by: [] }, range))} AS total`),
);

/** Returns `SUMMARY` or `TREND` of the alerts that satisfy text filters, which no counts serve. */
export function countsOfTexts(of: 'summary' | 'trend', range: Range, alerts: AlertRelation): Counts {
  const [columns, sql] =
    of === 'summary' ? ([BY_VALUES, summarySql] as const) : ([BY_SEVERITY_IN_BUCKETS, trendSql] as const);
  return new TenantStatement(`${alerts.withSql} ${sql(countOfRowsSql(columns, alerts, range))}`, {
    isPrepared: false,
  });
}

/** The time of the first alert in scope, by `alerts_newest`, `alerts_newest_of_workspace` or `alerts_of_key`. */
export const EARLIEST: Record<Range, TenantStatement> = byRange((range) => {
  const firsts = scansOf(
    'a',
    range,
    (rows) => `SELECT a.created_at FROM fleet.alerts a WHERE ${rows} ORDER BY a.created_at LIMIT 1`,
  );
  return new TenantStatement(
    `SELECT min(firsts.created_at) AS earliest FROM (${unionAll(firsts)}) AS firsts`,
  );
});
