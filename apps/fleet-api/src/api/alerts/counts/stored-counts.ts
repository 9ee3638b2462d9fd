import { ALERT_COUNT_SCOPES, type AlertCountScope } from '../../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../../model/metrics/time-grains.ts';
import { type AccessScope, type Range, rangeOf } from '../../access/access-scope.ts';
import type { AlertSelection, SelectionParameters } from '../filters/alert-selection.ts';
import type { ValueField } from '../value-fields.ts';
import { type BucketUnit, COUNT_GRAINS, type CountGrain, countSpans } from './count-spans.ts';

/** Columns and buckets by which alerts are counted. */
export interface CountedGroups {
  groupedBy: readonly ValueField[];
  /** Length of the buckets; undefined for counts over the whole window. */
  unit?: BucketUnit | undefined;
  /**
   * Whether types may be counted separately from severities and states. Customers and workspaces have separate rows: by type (with
   * `ANY_RANK` as severity and state), and by severity and state (with `ANY_TYPE` as type).
   */
  mayCountTypesSeparately?: boolean;
}

/** Parameters of `countedSql` for a window. In each group of lists, the n-th elements belong to one span. */
export interface CountParameters {
  /** Spans of stored counts, by kind of `ALERT_COUNT_SCOPES`. */
  countKinds: number[];
  countGrains: number[];
  countFroms: Date[];
  countTos: Date[];
  countSigns: number[];
  /** Spans at the edges of the window, in which alerts are counted. */
  edgeFroms: Date[];
  edgeTos: Date[];
  edgeSigns: number[];
  /** Whether all alerts in the window are counted, because there are no stored counts by these columns and buckets. */
  countsAllRows: boolean;
}

/** Parameters of a statement with `countedSql`; `unit` is an interval. */
export type CountStatementParameters = CountParameters & SelectionParameters & { unit?: string };

/** Returns the spans of the smallest set of stored counts that have the columns and serve the filters, and of the remaining rows. */
export function countParameters(
  selection: AlertSelection,
  scope: AccessScope,
  groups: CountedGroups,
): CountParameters {
  const { window } = selection;
  const scopes = storedScopes(selection, scope, groups);
  const grains = storedGrains(scopes, groups.unit);
  const countsAllRows = grains.length === 0;
  const spans = countsAllRows ? [] : countSpans(window, grains);
  const edges = spans.filter(({ grain }) => grain === 'row');
  const stored = spans.flatMap(({ grain, ...span }) =>
    grain === 'row' ? [] : scopes.map(({ kind }) => ({ ...span, kind, grain: GRAIN[grain] })),
  );
  return {
    countKinds: stored.map(({ kind }) => kind),
    countGrains: stored.map(({ grain }) => grain),
    countFroms: stored.map(({ fromMs }) => new Date(fromMs)),
    countTos: stored.map(({ toMs }) => new Date(toMs)),
    countSigns: stored.map(({ sign }) => sign),
    edgeFroms: edges.map(({ fromMs }) => new Date(fromMs)),
    edgeTos: edges.map(({ toMs }) => new Date(toMs)),
    edgeSigns: edges.map(({ sign }) => sign),
    countsAllRows,
  };
}

const OWNERS = { customer: 'customer', workspaces: 'workspace', apiKey: 'apiKey' } as const;

/** Returns the kind of the stored counts that add up to the number of all alerts in scope. */
export function totalKindOf(range: Range): number {
  const isTotal = ({ owner, groupedBy }: AlertCountScope) =>
    owner === OWNERS[range] && groupedBy === 'severityAndState';
  return (ALERT_COUNT_SCOPES.find(isTotal) as AlertCountScope).kind;
}

/** Returns the scopes whose stored counts add up to the requested groups. */
function storedScopes(
  { values: { severity, state, type } }: AlertSelection,
  scope: AccessScope,
  { groupedBy, mayCountTypesSeparately = false }: CountedGroups,
): AlertCountScope[] {
  const owner = OWNERS[rangeOf(scope)];
  const scopesBy = (...columns: AlertCountScope['groupedBy'][]) =>
    ALERT_COUNT_SCOPES.filter((stored) => stored.owner === owner && columns.includes(stored.groupedBy));
  if (owner !== 'apiKey' && severity === null && state === null) {
    if (mayCountTypesSeparately && type === null) return scopesBy('severityAndState', 'type');
    if (groupedBy.length === 1 && groupedBy[0] === 'type') return scopesBy('type');
  }
  return scopesBy(groupedBy.includes('type') || type !== null ? 'all' : 'severityAndState');
}

/** Returns the grains that all of these scopes have and that are not coarser than the buckets; empty if there are none. */
function storedGrains(
  scopes: readonly AlertCountScope[],
  unit: BucketUnit | undefined,
): readonly CountGrain[] {
  const finest = scopes.every(({ hasHours }) => hasHours) ? 'hour' : 'day';
  const coarsest = unit === undefined ? 0 : COUNT_GRAINS.indexOf(unit);
  return COUNT_GRAINS.slice(coarsest, COUNT_GRAINS.indexOf(finest) + 1);
}
