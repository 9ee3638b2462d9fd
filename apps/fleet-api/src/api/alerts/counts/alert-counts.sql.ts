import { type Branch, isCounted } from '../../access/access-scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';
import { memberPredicate, textPredicate } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { GRAIN } from '../../../model/metrics/time-grains.ts';
import { COUNT_GRAINS, type CountGrain, type CountSpan, countSpans } from './count-spans.ts';

/** The length of a trend's buckets. */
export type BucketUnit = 'hour' | 'day';

export interface Counting {
  /** What is told apart; everything unless given. */
  by?: readonly ('severity' | 'state' | 'type')[];
  /** Buckets, by their length. */
  unit?: BucketUnit;
  /** Keep what the query's own severity, type and state leave out: a summary has a use for it. */
  whole?: boolean;
}

/**
 * The selected alerts, counted: a relation of what is told apart, `n` and, where a unit is given, the `bucket`.
 * Whole months, days and hours come from `fleet.alert_counts`, the rest of the window from the rows; all of it from the
 * rows where texts are compared. The same group may come in several parts, some of them negative: sum them up.
 */
export function countedSql(
  statement: ScopedStatement,
  selection: AlertSelection,
  { by = ['severity', 'state', 'type'], unit, whole = false }: Counting = {},
): string {
  const counted = whole ? { ...selection, severity: null, type: null, state: null } : selection;
  const parts = statement.branches.flatMap((branch) => {
    const grains = grainsOf(branch, selection, unit);
    const spans = countSpans(selection.window, grains);
    const rowSpans = spans.filter(({ grain }) => grain === 'row');
    const bucketSpans = spans.filter(({ grain }) => grain !== 'row');
    const ofSpans = [
      ...(bucketSpans.length > 0 ? [fromCounts(statement, counted, bucketSpans, branch, { by, unit })] : []),
      ...(rowSpans.length > 0 ? [fromRows(statement, counted, rowSpans, branch, { by, unit })] : []),
    ];
    if (isCounted(branch) || bucketSpans.length === 0) return ofSpans;
    // Of the two, PostgreSQL runs the one whose condition holds.
    const elsewhere = statement.keyIsElsewhere(branch);
    const allRows = fromRows(statement, counted, countSpans(selection.window, []), branch, { by, unit });
    return [...ofSpans.map((part) => `${part} WHERE NOT ${elsewhere}`), `${allRows} WHERE ${elsewhere}`];
  });
  const none = { severity: '0::smallint', state: '0::smallint', type: "''::text" };
  const columns = by.map((column) => `${none[column]} AS ${column}, `).join('');
  const bucket = unit === undefined ? '' : ', NULL::timestamptz AS bucket';
  return [`SELECT ${columns}0::bigint AS n${bucket} WHERE false`, ...parts].join(' UNION ALL ');
}

/** What counts there are of a branch, none coarser than a trend's buckets. Keys are not counted by the hour. */
function grainsOf(branch: Branch, { texts }: AlertSelection, unit: BucketUnit | undefined): CountGrain[] {
  if (texts.length > 0) return [];
  const kept =
    branch.apiKeyId === undefined ? COUNT_GRAINS : COUNT_GRAINS.filter((grain) => grain !== 'hour');
  return kept.slice(unit === undefined ? 0 : COUNT_GRAINS.indexOf(unit));
}

interface Grouping {
  by: NonNullable<Counting['by']>;
  unit: BucketUnit | undefined;
}

/** Each span is an index range of its own; summed up within it, so that the plan cannot become one over all counts. */
function fromCounts(
  statement: ScopedStatement,
  selection: AlertSelection,
  spans: CountSpan[],
  branch: Branch,
  grouping: Grouping,
): string {
  const grains = statement.value(spans.map(({ grain }) => GRAIN[grain as CountGrain]));
  const byType = grouping.by.includes('type') || selection.type !== null;
  return `SELECT ${partColumns(grouping)}
    FROM unnest(${grains}::smallint[], ${boundsSql(statement, spans)}) AS span (grain, from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT ${groupedSql(grouping, 'c', 'c.bucket', 'sum(c.n)::bigint')}
      FROM fleet.alert_counts c
      WHERE ${statement.counts(branch, 'c', byType)} AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at
        AND ${memberPredicate(statement, selection)('c')}
      ${groupBy(grouping, 'c', 'c.bucket')}
    ) AS part`;
}

function fromRows(
  statement: ScopedStatement,
  selection: AlertSelection,
  spans: CountSpan[],
  branch: Branch,
  grouping: Grouping,
): string {
  return `SELECT ${partColumns(grouping)}
    FROM unnest(${boundsSql(statement, spans)}) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT ${groupedSql(grouping, 'a', 'a.created_at', 'count(*)')}
      FROM fleet.alerts a
      WHERE ${statement.branch(branch, 'a')} AND a.created_at >= span.from_at AND a.created_at < span.to_at
        AND ${memberPredicate(statement, selection)('a')} AND ${textPredicate(statement, selection)('a')}
      ${groupBy(grouping, 'a', 'a.created_at')}
    ) AS part`;
}

/** What a part of the window adds to the counts or takes off. */
function partColumns({ by, unit }: Grouping): string {
  const columns = by.map((column) => `part.${column}, `).join('');
  return `${columns}part.n * span.sign${unit === undefined ? '' : ', part.bucket'}`;
}

function groupedSql({ by, unit }: Grouping, alias: string, at: string, n: string): string {
  const columns = by.map((column) => `${alias}.${column}, `).join('');
  return `${columns}${n} AS n${unit === undefined ? '' : `, ${bucketSql(unit, at)} AS bucket`}`;
}

const bucketSql = (unit: BucketUnit, at: string) => `date_trunc('${unit}', ${at}, 'UTC')`;

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
