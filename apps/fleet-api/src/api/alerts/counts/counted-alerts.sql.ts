import { GRAIN } from '../../../model/metrics/time-grains.ts';
import type { Range } from '../../access/access-scope.ts';
import { isReadableSql, unionAll } from '../../access/scope.sql.ts';
import { alertScans, ALL_ALERTS, type ScannedRows } from '../alert-relations.sql.ts';
import { SELECTED_VALUES, selectedValuesSql } from '../filters/alert-predicate.ts';
import type { ValueField } from '../value-fields.ts';
import { totalKindOf } from './stored-counts.ts';

/** Columns of a query of counts, in addition to the count `n`. */
export interface CountColumns {
  groupedBy: readonly ValueField[];
  /** Whether the last column is the start of the `bucket` of length `:unit`. */
  inBuckets?: boolean;
}

/** Returns the expression of the start of a bucket in UTC. `date_trunc` takes twice as long. */
const bucketSql = (at: string) => `date_bin(:unit::interval, ${at}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** Returns the columns to group by, each followed by a comma. */
const groupColumnsSql = (columns: readonly ValueField[], alias: string) =>
  columns.map((column) => `${alias}.${column}, `).join('');

/** Predicates of the stored counts `c` of a scope: of a customer, of each of its workspaces, or of an API key in workspaces. */
const STORED_SCOPE: Record<Range, string> = {
  customer: 'c.scope_id = 0',
  workspaces: 'c.scope_id = ANY (:workspaces::integer[])',
  apiKey: `c.scope_id = :apiKey AND ${isReadableSql('c.workspace_id')}`,
};

/** Returns a query of the stored counts of all spans. Each span is one range of the primary key. A total is one row. */
function storedSql({ groupedBy, inBuckets = false }: CountColumns, range: Range): string {
  const n = groupedBy.length === 0 ? 'sum(c.n * span.sign)::bigint' : 'c.n * span.sign';
  return `SELECT ${groupColumnsSql(groupedBy, 'c')}${n} AS n${inBuckets ? `, ${bucketSql('c.bucket')} AS bucket` : ''}
    FROM unnest(:countKinds::smallint[], :countGrains::smallint[], :countFroms::timestamptz[], :countTos::timestamptz[], :countSigns::smallint[])
      AS span (kind, grain, from_at, to_at, sign)
    JOIN fleet.alert_counts c ON c.customer_id = :customer AND c.scope_kind = span.kind AND ${STORED_SCOPE[range]}
      AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at AND ${selectedValuesSql('c')}`;
}

/** Returns a query that counts the alerts `a` from one time (an expression) to another. */
function rowsSql(
  { groupedBy, inBuckets = false }: CountColumns,
  fromWhere: string,
  from: string,
  to: string,
): string {
  const bucket = inBuckets ? [bucketSql('a.created_at')] : [];
  const groups = [...groupedBy.map((column) => `a.${column}`), ...bucket];
  return `SELECT ${groupColumnsSql(groupedBy, 'a')}count(*) AS n${bucket.map((at) => `, ${at} AS bucket`).join('')} ${fromWhere}
      AND a.created_at >= ${from} AND a.created_at < ${to} AND ${SELECTED_VALUES}
    ${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}`;
}

/**
 * Returns a query that counts the alerts at the edges of the window, by `alerts_newest`, `alerts_newest_of_workspace` or
 * `alerts_of_key`. Each span is within one bucket, so the rows are not grouped by bucket: the planner then expects few groups, and
 * PostgreSQL allocates small hash tables.
 */
function edgesSql({ groupedBy, inBuckets = false }: CountColumns, range: Range): string {
  const parts = alertScans(ALL_ALERTS[range], (fromWhere) =>
    rowsSql({ groupedBy }, fromWhere, 'span.from_at', 'span.to_at'),
  );
  return `SELECT ${groupColumnsSql(groupedBy, 'part')}part.n * span.sign AS n${inBuckets ? `, ${bucketSql('span.from_at')}` : ''}
    FROM unnest(:edgeFroms::timestamptz[], :edgeTos::timestamptz[], :edgeSigns::smallint[]) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (${unionAll(parts)}) AS part`;
}

/** Returns a query that counts all alerts in the window. */
export function countOfRowsSql(columns: CountColumns, alerts: ScannedRows): string {
  const counts = alertScans(alerts, (fromWhere) =>
    rowsSql(columns, fromWhere, ':from::timestamptz', ':to::timestamptz'),
  );
  return unionAll(counts);
}

/**
 * Returns a query of counts of the selected alerts. Whole buckets are read from `fleet.alert_counts`, the rest of the window from the
 * alerts. A group may have several rows, also with negative counts. For a customer by severity, it is
 *
 *     SELECT c.severity, c.n * span.sign AS n
 *     FROM unnest(:countKinds, :countGrains, :countFroms, :countTos, :countSigns) AS span (kind, grain, from_at, to_at, sign)
 *     JOIN fleet.alert_counts c ON c.customer_id = :customer AND c.scope_kind = span.kind AND c.scope_id = 0
 *       AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at AND (the filters)
 *     UNION ALL
 *     SELECT part.severity, part.n * span.sign AS n
 *     FROM unnest(:edgeFroms, :edgeTos, :edgeSigns) AS span (from_at, to_at, sign)
 *     CROSS JOIN LATERAL (SELECT a.severity, count(*) AS n FROM fleet.alerts a WHERE a.customer_id = :customer
 *       AND a.created_at >= span.from_at AND a.created_at < span.to_at AND (the filters) GROUP BY a.severity) AS part
 */
export function countedSql(columns: CountColumns, range: Range): string {
  const counted = `${storedSql(columns, range)} UNION ALL ${edgesSql(columns, range)}`;
  // For buckets of hours, API keys have no stored counts, and workspaces none by type. If `:countsAllRows` is false, PostgreSQL reads
  // no row.
  return range !== 'customer' && columns.inBuckets
    ? `${counted} UNION ALL ${countOfRowsSql(columns, { ...ALL_ALERTS[range], where: ':countsAllRows::boolean' })}`
    : counted;
}

/** Returns the number of all alerts in scope, as a subselect: the sum of the stored counts of all months. */
export function storedTotalSql(range: Range): string {
  return `(SELECT coalesce(sum(c.n), 0)::bigint FROM fleet.alert_counts c WHERE c.customer_id = :customer
    AND c.scope_kind = ${totalKindOf(range)} AND ${STORED_SCOPE[range]} AND c.grain = ${GRAIN.month})`;
}

/** Returns the sum of all rows of `countedSql`, as a subselect. */
export function totalSql(counted: string): string {
  return `(SELECT coalesce(sum(counted.n), 0)::bigint FROM (${counted}) AS counted)`;
}
