import { type Branch, isCounted } from '../../access/scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';
import { memberPredicate, textPredicate } from '../selection/alert-predicate.ts';
import type { AlertSelection } from '../selection/alert-selection.ts';
import { COUNT_GRAINS, type CountGrain, type CountSpan, countSpans } from './count-spans.ts';

/** The `grain` of `fleet.alert_counts`. */
const GRAIN: Record<CountGrain, number> = { month: 0, day: 1, hour: 2 };
const COLUMNS = 'severity, state, type';

/** The length of a trend's buckets. */
export type BucketUnit = 'hour' | 'day';

/**
 * The selected alerts, counted: a relation of `severity`, `state`, `type`, `n` and, where a unit is given, the `bucket`.
 * Whole months, days and hours come from `fleet.alert_counts`, the rest of the window from the rows; all of it from the
 * rows where texts are compared. The same group may come in several parts, some of them negative: sum them up.
 *
 * @param whole keep what the query's own severity, type and state leave out: a summary has a use for it
 */
export function countedSql(
  statement: ScopedStatement,
  selection: AlertSelection,
  { unit, whole = false }: { unit?: BucketUnit; whole?: boolean } = {},
): string {
  const counted = whole ? { ...selection, severity: null, type: null, state: null } : selection;
  const parts = statement.branches.flatMap((branch) => {
    const spans = countSpans(selection.window, grainsOf(branch, selection, unit));
    const rowSpans = spans.filter(({ grain }) => grain === 'row');
    const bucketSpans = spans.filter(({ grain }) => grain !== 'row');
    return [
      ...(bucketSpans.length > 0 ? [fromCounts(statement, counted, bucketSpans, branch, unit)] : []),
      ...(rowSpans.length > 0 ? [fromRows(statement, counted, rowSpans, branch, unit)] : []),
    ];
  });
  const bucket = unit === undefined ? '' : ', NULL::timestamptz AS bucket';
  const none = `SELECT 0::smallint AS severity, 0::smallint AS state, '' AS type, 0::bigint AS n${bucket} WHERE false`;
  return [none, ...parts].join(' UNION ALL ');
}

/** What counts there are of a branch, none coarser than a trend's buckets. Keys are not counted by the hour. */
function grainsOf(branch: Branch, { texts }: AlertSelection, unit: BucketUnit | undefined): CountGrain[] {
  if (texts.length > 0 || !isCounted(branch)) return [];
  const kept =
    branch.apiKeyId === undefined ? COUNT_GRAINS : COUNT_GRAINS.filter((grain) => grain !== 'hour');
  return kept.slice(unit === undefined ? 0 : COUNT_GRAINS.indexOf(unit));
}

/** Each span is an index range of its own; summed up within it, so that the plan cannot become one over all counts. */
function fromCounts(
  statement: ScopedStatement,
  selection: AlertSelection,
  spans: CountSpan[],
  branch: Branch,
  unit: BucketUnit | undefined,
): string {
  const grains = statement.value(spans.map(({ grain }) => GRAIN[grain as CountGrain]));
  const bucket = unit === undefined ? '' : `date_trunc('${unit}', c.bucket, 'UTC')`;
  return `SELECT ${COLUMNS.replaceAll(/\w+/g, 'part.$&')}, part.n * span.sign${unit === undefined ? '' : ', part.bucket'}
    FROM unnest(${grains}::smallint[], ${boundsSql(statement, spans)}) AS span (grain, from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT c.severity, c.state, c.type, sum(c.n)::bigint AS n${bucket && `, ${bucket} AS bucket`}
      FROM fleet.alert_counts c
      WHERE ${statement.counts(branch, 'c')} AND c.grain = span.grain AND c.bucket >= span.from_at AND c.bucket < span.to_at
        AND ${memberPredicate(statement, selection)('c')}
      GROUP BY c.severity, c.state, c.type${bucket && `, ${bucket}`}
    ) AS part`;
}

function fromRows(
  statement: ScopedStatement,
  selection: AlertSelection,
  spans: CountSpan[],
  branch: Branch,
  unit: BucketUnit | undefined,
): string {
  const bucket = unit === undefined ? '' : `date_trunc('${unit}', a.created_at, 'UTC')`;
  return `SELECT ${COLUMNS.replaceAll(/\w+/g, 'part.$&')}, part.n * span.sign${unit === undefined ? '' : ', part.bucket'}
    FROM unnest(${boundsSql(statement, spans)}) AS span (from_at, to_at, sign)
    CROSS JOIN LATERAL (
      SELECT a.severity, a.state, a.type, count(*) AS n${bucket && `, ${bucket} AS bucket`}
      FROM fleet.alerts a
      WHERE ${statement.branch(branch, 'a')} AND a.created_at >= span.from_at AND a.created_at < span.to_at
        AND ${memberPredicate(statement, selection)('a')} AND ${textPredicate(statement, selection)('a')}
      GROUP BY a.severity, a.state, a.type${bucket && `, ${bucket}`}
    ) AS part`;
}

function boundsSql(statement: ScopedStatement, spans: CountSpan[]): string {
  const times = (ms: number[]) => `${statement.value(ms.map((at) => new Date(at)))}::timestamptz[]`;
  const signs = statement.value(spans.map(({ sign }) => sign));
  return `${times(spans.map(({ fromMs }) => fromMs))}, ${times(spans.map(({ toMs }) => toMs))}, ${signs}::smallint[]`;
}
