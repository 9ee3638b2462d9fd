import { GRAIN } from '../../../model/metrics/time-grains.ts';
import type { AccessScope } from '../../access/access-scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';
import { memberPredicate, textPredicate } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../order/alert-sorts.ts';
import type { BucketUnit } from './bucket-unit.ts';
import {
  type CountedBy,
  countRowsOf,
  hasAlertsOutside,
  isCounted,
  storedCounts,
  storedGrains,
} from './count-rows.sql.ts';
import { type CountGrain, type CountSpan, countSpans } from './count-spans.ts';

export interface Counting {
  /** The columns to group by; default all. */
  by?: readonly ValueField[];
  /** Length of the buckets to group by; default none. */
  unit?: BucketUnit;
  /** Ignores the filters on severity, type and state. */
  allMembers?: boolean;
  /**
   * Counts a customer or workspaces by severity and state, with an empty type, and by type, with `ALL_MEMBERS`. API keys, and
   * alerts that are read one by one, have all three.
   */
  typesApart?: boolean;
  /** Relations of the alerts that match the text filters, one per scope, to count instead of comparing every alert. */
  found?: readonly string[];
}

/**
 * Returns a query of the numbers of selected alerts: the columns to group by, `n` and, with a unit, `bucket`. Whole
 * buckets are read from `fleet.alert_counts`, the rest of the window from the alerts; with text filters everything from
 * the alerts. A group may have several rows, with negative numbers too: the caller sums them.
 */
export function countedSql(
  statement: ScopedStatement,
  selection: AlertSelection,
  {
    by = ['severity', 'state', 'type'],
    unit,
    allMembers = false,
    typesApart = false,
    found = [],
  }: Counting = {},
): string {
  const counted = allMembers ? { ...selection, severity: null, type: null, state: null } : selection;
  const grouping = { by, unit };
  const allRows = (scope: AccessScope, table = 'fleet.alerts') =>
    fromRows(statement, table, counted, countSpans(selection.window, []), scope, grouping);
  const ofSpans = (scope: AccessScope) => {
    const stored = storedCounts(counted, scope, { by, typesApart });
    const grains = storedGrains(stored, scope, unit);
    if (grains.length === 0) return [allRows(scope)];
    const spans = countSpans(selection.window, grains);
    const bucketSpans = spans.filter(({ grain }) => grain !== 'row');
    const edges = spans.filter(({ grain }) => grain === 'row');
    const counts = (countedBy: CountedBy) =>
      fromCounts(statement, countRowsOf(statement, scope, 'c', countedBy), counted, bucketSpans, grouping);
    return [
      ...(bucketSpans.length > 0 ? stored.map(counts) : []),
      ...(edges.length > 0 ? [fromEdges(statement, counted, edges, scope, grouping)] : []),
    ];
  };
  const parts = statement.scopes.flatMap((scope, n) => {
    // Counts cannot serve text filters.
    if (selection.texts.length > 0) return [allRows(scope, found[n])];
    if (isCounted(scope)) return ofSpans(scope);
    // PostgreSQL executes only the alternative whose condition is true.
    const outside = hasAlertsOutside(statement, scope);
    return [
      ...ofSpans({ ...scope, workspaceIds: 'all' }).map((part) => `${part} WHERE NOT ${outside}`),
      `${allRows(scope)} WHERE ${outside}`,
    ];
  });
  const none = { severity: '0::smallint', state: '0::smallint', type: "''::text" };
  const columns = by.map((column) => `${none[column]} AS ${column}, `).join('');
  const bucket = unit === undefined ? '' : ', NULL::timestamptz AS bucket';
  return [`SELECT ${columns}0::bigint AS n${bucket} WHERE false`, ...parts].join(' UNION ALL ');
}

interface Grouping {
  by: NonNullable<Counting['by']>;
  unit: BucketUnit | undefined;
}

/** Sums each span in a lateral subquery, so that it is one index range and the planner cannot scan all counts. */
function fromCounts(
  statement: ScopedStatement,
  rows: string,
  selection: AlertSelection,
  spans: CountSpan[],
  grouping: Grouping,
): string {
  const grains = statement.value(spans.map(({ grain }) => GRAIN[grain as CountGrain]));
  return `SELECT ${partColumns(grouping)}
    FROM unnest(${grains}::smallint[], ${boundsSql(statement, spans)}) AS span (grain, from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT ${groupedSql(grouping, 'c', 'c.bucket', 'sum(c.n)::bigint')}
      FROM fleet.alert_counts c
      WHERE ${rows} AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at
        AND ${memberPredicate(statement, selection)('c')}
      ${groupBy(grouping, 'c', 'c.bucket')}
    ) AS part`;
}

function fromRows(
  statement: ScopedStatement,
  table: string,
  selection: AlertSelection,
  spans: CountSpan[],
  scope: AccessScope,
  grouping: Grouping,
): string {
  return `SELECT ${partColumns(grouping)} ${rowsSql(statement, table, selection, spans, scope, grouping)}`;
}

/** Each span is within one bucket: without it, the planner expects few groups, and PostgreSQL allocates small hash tables. */
function fromEdges(
  statement: ScopedStatement,
  selection: AlertSelection,
  spans: CountSpan[],
  scope: AccessScope,
  { by, unit }: Grouping,
): string {
  const bucket = unit === undefined ? '' : `, ${bucketSql(unit, 'span.from_at')}`;
  const grouping = { by, unit: undefined };
  return `SELECT ${partColumns(grouping)}${bucket} ${rowsSql(statement, 'fleet.alerts', selection, spans, scope, grouping)}`;
}

function rowsSql(
  statement: ScopedStatement,
  table: string,
  selection: AlertSelection,
  spans: CountSpan[],
  scope: AccessScope,
  grouping: Grouping,
): string {
  return `FROM unnest(${boundsSql(statement, spans)}) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT ${groupedSql(grouping, 'a', 'a.created_at', 'count(*)')}
      FROM ${table} a
      WHERE ${statement.rowsOf(scope, 'a')} AND a.created_at >= span.from_at AND a.created_at < span.to_at
        AND ${memberPredicate(statement, selection)('a')}
        ${table === 'fleet.alerts' ? `AND ${textPredicate(statement, selection)('a')}` : ''}
      ${groupBy(grouping, 'a', 'a.created_at')}
    ) AS part`;
}

/** Returns the columns of a part of the window, added or subtracted by its sign. */
function partColumns({ by, unit }: Grouping): string {
  const columns = by.map((column) => `part.${column}, `).join('');
  return `${columns}part.n * span.sign${unit === undefined ? '' : ', part.bucket'}`;
}

function groupedSql({ by, unit }: Grouping, alias: string, at: string, n: string): string {
  const columns = by.map((column) => `${alias}.${column}, `).join('');
  return `${columns}${n} AS n${unit === undefined ? '' : `, ${bucketSql(unit, at)} AS bucket`}`;
}

/** Returns the start of a bucket in UTC. `date_trunc` takes twice as long. */
const bucketSql = (unit: BucketUnit, at: string) =>
  `date_bin('1 ${unit}', ${at}, '1970-01-01T00:00:00Z'::timestamptz)`;

function groupBy({ by, unit }: Grouping, alias: string, at: string): string {
  const columns = [
    ...by.map((column) => `${alias}.${column}`),
    ...(unit === undefined ? [] : [bucketSql(unit, at)]),
  ];
  return columns.length === 0 ? '' : `GROUP BY ${columns.join(', ')}`;
}

function boundsSql(statement: ScopedStatement, spans: CountSpan[]): string {
  const times = (ms: number[]) => `${statement.value(ms.map((at) => new Date(at)))}::timestamptz[]`;
  const signs = statement.value(spans.map(({ sign }) => sign));
  return `${times(spans.map(({ fromMs }) => fromMs))}, ${times(spans.map(({ toMs }) => toMs))}, ${signs}::smallint[]`;
}
