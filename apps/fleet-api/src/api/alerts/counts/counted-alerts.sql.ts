import type { Range } from '../../access/access-scope.ts';
import { isReadable, unionAll } from '../../access/scope.sql.ts';
import { type AlertRelation, alertScans, ALL_ALERTS } from '../alert-scans.sql.ts';
import { hasSelectedValues } from '../filters/alert-predicate.ts';
import type { ValueField } from '../value-fields.ts';

/** The columns of counted alerts: those that they are grouped by, `n`, and optionally the start of their `bucket` of length `:unit`. */
export interface CountColumns {
  groupedBy: readonly ValueField[];
  inBuckets?: boolean;
}

/** The start of a bucket in UTC. `date_trunc` takes twice as long. */
const bucketSql = (at: string) => `date_bin(:unit::interval, ${at}, '1970-01-01T00:00:00Z'::timestamptz)`;

/** Returns the columns to group by, each with a comma, to select before others. */
const grouped = (columns: readonly ValueField[], alias: string) =>
  columns.map((column) => `${alias}.${column}, `).join('');

/** The counts `c` of a scope: of a customer, of each of its workspaces, or of an API key in workspaces. */
const STORED_SCOPE: Record<Range, string> = {
  customer: 'c.scope_id = 0',
  workspaces: 'c.scope_id = ANY (:workspaces::integer[])',
  apiKey: `c.scope_id = :apiKey AND ${isReadable('c.workspace_id')}`,
};

/** Reads the stored counts of each span, by one range of the primary key. The total is one row. */
function storedSql({ groupedBy, inBuckets = false }: CountColumns, range: Range): string {
  const n = groupedBy.length === 0 ? 'sum(c.n * span.sign)::bigint' : 'c.n * span.sign';
  return `SELECT ${grouped(groupedBy, 'c')}${n} AS n${inBuckets ? `, ${bucketSql('c.bucket')} AS bucket` : ''}
    FROM unnest(:countKinds::smallint[], :countGrains::smallint[], :countFroms::timestamptz[], :countTos::timestamptz[], :countSigns::smallint[])
      AS span (kind, grain, from_at, to_at, sign)
    JOIN fleet.alert_counts c ON c.customer_id = :customer AND c.scope_kind = span.kind AND ${STORED_SCOPE[range]}
      AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at AND ${hasSelectedValues('c')}`;
}

/** Counts the rows `a` from one time to another. */
function rowsSql(
  { groupedBy, inBuckets = false }: CountColumns,
  fromWhere: string,
  from: string,
  to: string,
): string {
  const bucket = inBuckets ? [bucketSql('a.created_at')] : [];
  const groups = [...groupedBy.map((column) => `a.${column}`), ...bucket];
  return `SELECT ${grouped(groupedBy, 'a')}count(*) AS n${bucket.map((at) => `, ${at} AS bucket`).join('')} ${fromWhere}
      AND a.created_at >= ${from} AND a.created_at < ${to} AND ${hasSelectedValues('a')}
    ${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}`;
}

/**
 * Counts the rows at the edges of the window, by `alerts_newest`, `alerts_newest_of_workspace` or `alerts_of_key`. Each span is
 * within one bucket: without it, the planner expects few groups, and PostgreSQL allocates small hash tables.
 */
function edgesSql({ groupedBy, inBuckets = false }: CountColumns, range: Range): string {
  const parts = alertScans(ALL_ALERTS[range], 'a', (fromWhere) =>
    rowsSql({ groupedBy }, fromWhere, 'span.from_at', 'span.to_at'),
  );
  return `SELECT ${grouped(groupedBy, 'part')}part.n * span.sign AS n${inBuckets ? `, ${bucketSql('span.from_at')}` : ''}
    FROM unnest(:edgeFroms::timestamptz[], :edgeTos::timestamptz[], :edgeSigns::smallint[]) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (${unionAll(parts)}) AS part`;
}

/** Returns a query that counts all rows of the window. @param condition in place of the text filters */
export function countOfRowsSql(
  columns: CountColumns,
  alerts: AlertRelation,
  condition = alerts.textPredicate('a'),
): string {
  const counts = alertScans(alerts, 'a', (fromWhere) =>
    rowsSql(columns, `${fromWhere} AND ${condition}`, ':from::timestamptz', ':to::timestamptz'),
  );
  return unionAll(counts);
}

/**
 * Returns a query of the numbers of selected alerts. Whole buckets are read from `fleet.alert_counts`, the rest of the window from
 * the alerts. A group may have several rows, with negative numbers too. For a customer by severity, it is
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
  // Workspaces have no counts of a type by hour, and API keys have none by hour. PostgreSQL reads no row if the parameter is false.
  return range !== 'customer' && columns.inBuckets
    ? `${counted} UNION ALL ${countOfRowsSql(columns, ALL_ALERTS[range], ':countsAllRows::boolean')}`
    : counted;
}

/** Returns the sum of all rows of `countedSql`, as a subselect. */
export function totalSql(counted: string): string {
  return `(SELECT coalesce(sum(counted.n), 0)::bigint FROM (${counted}) AS counted)`;
}
