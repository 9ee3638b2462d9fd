import { epochMsSql } from '../../../model/epoch-ms.sql.ts';
import { byRange, inScope, type Range, TenantStatement } from '../../access/tenant-statement.ts';
import { DATA_VERSION } from '../../data-version/data-version.ts';
import { isSelectedMember, type MemberParameters } from '../filters/alert-predicate.ts';
import type { ValueField } from '../order/alert-sorts.ts';
import type { CountParameters } from './stored-counts.ts';

/** The columns of a sum: those it groups by, and whether it has a row per `:unit`. */
interface Columns {
  by: readonly ValueField[];
  inBuckets?: boolean;
}

export type CountStatementParameters = CountParameters & MemberParameters & { unit?: string };

/** The start of a bucket in UTC. `date_trunc` takes twice as long. */
const bucketSql = (at: string) => `date_bin(:unit::interval, ${at}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** Returns the selected columns of a sum, with `n`. */
function groupedSql({ by, inBuckets = false }: Columns, alias: string, at: string, n: string): string {
  const columns = by.map((column) => `${alias}.${column}, `).join('');
  return `${columns}${n} AS n${inBuckets ? `, ${bucketSql(at)} AS bucket` : ''}`;
}

function groupBy({ by, inBuckets = false }: Columns, alias: string, at: string): string {
  const columns = [...by.map((column) => `${alias}.${column}`), ...(inBuckets ? [bucketSql(at)] : [])];
  return columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
}

/** Returns the columns of a part of the window, which is added or subtracted by its sign. */
function partSql({ by }: Columns, bucket: string): string {
  return `SELECT ${by.map((column) => `part.${column}, `).join('')}part.n * span.sign AS n${bucket}`;
}

/** Reads one range of the primary key per span. The total of a span is one row. */
function storedSql(columns: Columns): string {
  const isTotal = columns.by.length === 0;
  return `SELECT ${groupedSql(columns, 'c', 'c.bucket', `${isTotal ? 'sum(c.n * span.sign)::bigint' : 'c.n * span.sign'}`)}
    FROM unnest(:countKinds::smallint[], :countGrains::smallint[], :countFroms::timestamptz[], :countTos::timestamptz[], :countSigns::smallint[])
      AS span (kind, grain, from_at, to_at, sign)
    JOIN fleet.alert_counts c ON c.customer_id = :customer AND c.scope_kind = span.kind AND c.scope_id = ANY (:countScopes::integer[])
      AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at AND ${isSelectedMember('c')}`;
}

/**
 * Counts the rows at the edges of the window, by `alerts_newest` or `alerts_of_key`. Each span is within one bucket: without it,
 * the planner expects few groups, and PostgreSQL allocates small hash tables.
 */
function edgesSql(columns: Columns, range: Range): string {
  const ofSpan = { by: columns.by };
  return `${partSql(columns, columns.inBuckets ? `, ${bucketSql('span.from_at')}` : '')}
    FROM unnest(:edgeFroms::timestamptz[], :edgeTos::timestamptz[], :edgeSigns::smallint[]) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT ${groupedSql(ofSpan, 'a', 'a.created_at', 'count(*)')}
      FROM fleet.alerts a
      WHERE ${inScope('a', range)} AND a.created_at >= span.from_at AND a.created_at < span.to_at AND ${isSelectedMember('a')}
      ${groupBy(ofSpan, 'a', 'a.created_at')}
    ) AS part`;
}

/**
 * Counts all rows of the window.
 *
 * @param table `fleet.alerts` or a relation with its columns
 * @param condition a further predicate of the rows `a`
 */
export function rowsSql(columns: Columns, table: string, range: Range, condition: string): string {
  return `SELECT ${groupedSql(columns, 'a', 'a.created_at', 'count(*)')} FROM ${table} a
    WHERE ${inScope('a', range)} AND a.created_at >= :from::timestamptz AND a.created_at < :to::timestamptz
      AND ${isSelectedMember('a')} AND ${condition}
    ${groupBy(columns, 'a', 'a.created_at')}`;
}

/**
 * Whether an API key has alerts outside of the listed workspaces. If not, the counts of the key are those of the scope. It does
 * not depend on the row, so PostgreSQL evaluates it once per statement.
 */
const HAS_ALERTS_OUTSIDE = `(SELECT EXISTS (SELECT 1 FROM fleet.api_key_workspaces w
  WHERE w.customer_id = :customer AND w.api_key_id = :apiKey AND w.workspace_id <> ALL (:workspaces::integer[])))`;

/**
 * Returns a query of the numbers of selected alerts: the columns to group by, `n` and the bucket. Whole buckets are read from
 * `fleet.alert_counts`, the rest of the window from the alerts. A group may have several rows, with negative numbers too.
 */
export function countedSql(columns: Columns, range: Range): string {
  if (range !== 'key') return `${storedSql(columns)} UNION ALL ${edgesSql(columns, range)}`;
  // PostgreSQL executes only the alternative whose condition is true.
  return `${storedSql(columns)} WHERE NOT ${HAS_ALERTS_OUTSIDE}
    UNION ALL ${edgesSql(columns, range)} WHERE NOT ${HAS_ALERTS_OUTSIDE}
    UNION ALL ${rowsSql(columns, 'fleet.alerts', range, `(${HAS_ALERTS_OUTSIDE} OR :countsRows::boolean)`)}`;
}

/** Returns the sum of all rows of `countedSql`, as a subselect. */
export function totalSql(counted: string): string {
  return `(SELECT coalesce(sum(counted.n), 0)::bigint FROM (${counted}) AS counted)`;
}

const BY_MEMBERS: Columns = { by: ['severity', 'state', 'type'] };
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
  (range) => new TenantStatement(summarySql(countedSql(BY_MEMBERS, range))),
);
export const TREND: Record<Range, Counts> = byRange(
  (range) => new TenantStatement(trendSql(countedSql(BY_SEVERITY_IN_BUCKETS, range))),
);
export const TOTAL: Record<Range, Counts> = byRange(
  (range) => new TenantStatement(`SELECT ${totalSql(countedSql({ by: [] }, range))} AS total`),
);

/**
 * Returns `SUMMARY` or `TREND` of the alerts that satisfy text filters, which no counts serve.
 *
 * @param found a relation with the alerts to count, and its definition
 */
export function countsOfTexts(
  of: 'summary' | 'trend',
  range: Range,
  found: { table: string; withSql: string },
  condition: string,
): Counts {
  const [columns, sql] =
    of === 'summary' ? ([BY_MEMBERS, summarySql] as const) : ([BY_SEVERITY_IN_BUCKETS, trendSql] as const);
  return new TenantStatement(`${found.withSql} ${sql(rowsSql(columns, found.table, range, condition))}`, {
    isPrepared: false,
  });
}

/** The time of the first alert in scope, by `alerts_newest`, `alerts_newest_of_workspace` or `alerts_of_key`. */
export const EARLIEST: Record<Range, TenantStatement<object>> = byRange((range) => {
  const first = (rows: string) =>
    `(SELECT a.created_at FROM fleet.alerts a WHERE a.customer_id = :customer AND ${rows} ORDER BY a.created_at LIMIT 1)`;
  const firsts =
    range === 'workspaces'
      ? `SELECT of_workspace.created_at FROM unnest(:workspaces::integer[]) AS w (id)
           CROSS JOIN LATERAL ${first('a.workspace_id = w.id')} AS of_workspace
         UNION ALL ${first('a.workspace_id IS NULL AND 0 = ANY (:workspaces)')}`
      : first(inScope('a', range));
  return new TenantStatement(`SELECT min(firsts.created_at) AS earliest FROM (${firsts}) AS firsts`);
});
