import { ALERT_COUNT_SCOPES, type AlertCountScope } from '../../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../../model/metrics/time-grains.ts';
import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { SelectedValues, ValueField } from '../value-fields.ts';
import type { BucketUnit } from './bucket-unit.ts';
import { COUNT_GRAINS, type CountGrain, countSpans } from './count-spans.ts';

/** How alerts are counted: by which columns, and in buckets of which length. */
export interface CountedGroups {
  groupedBy: readonly ValueField[];
  unit?: BucketUnit | undefined;
  /**
   * Whether severities and states may be counted separately from types: customers and workspaces have rows by severity and state, with
   * an empty type, and by type, with `ANY_RANK`.
   */
  mayCountTypesSeparately?: boolean;
}

/** Parameters for the window of `countedSql`. The n-th elements of the lists are those of one span. */
export interface CountParameters {
  /** Stored counts to sum, of the kinds of `ALERT_COUNT_SCOPES`. */
  countKinds: number[];
  countGrains: number[];
  countFroms: Date[];
  countTos: Date[];
  countSigns: number[];
  /** Alerts to count at the edges of the window. */
  edgeFroms: Date[];
  edgeTos: Date[];
  edgeSigns: number[];
  from: Date;
  to: Date;
  /** Whether no stored counts have the groups, so that all alerts of the window are counted. */
  countsAllRows: boolean;
}

/** Parameters of a statement with `countedSql`; `unit` is an interval. */
export type CountStatementParameters = CountParameters & SelectedValues & { unit?: string };

/** Returns the counts to sum: the fewest that have the columns and serve the filters, and the rest of the window in rows. */
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
  const counts = scopes.flatMap(({ kind }) =>
    spans.flatMap(({ grain, ...span }) => (grain === 'row' ? [] : [{ ...span, kind, grain: GRAIN[grain] }])),
  );
  return {
    countKinds: counts.map(({ kind }) => kind),
    countGrains: counts.map(({ grain }) => grain),
    countFroms: counts.map(({ fromMs }) => new Date(fromMs)),
    countTos: counts.map(({ toMs }) => new Date(toMs)),
    countSigns: counts.map(({ sign }) => sign),
    edgeFroms: edges.map(({ fromMs }) => new Date(fromMs)),
    edgeTos: edges.map(({ toMs }) => new Date(toMs)),
    edgeSigns: edges.map(({ sign }) => sign),
    from: new Date(window.fromMs),
    to: new Date(window.toMs),
    countsAllRows,
  };
}

const OWNERS = { customer: 'customer', workspaces: 'workspace', apiKey: 'apiKey' } as const;

/** Returns the scopes whose counts add up to the groups. */
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

/** Returns the grains that all of these scopes have, none coarser than the buckets. */
function storedGrains(
  scopes: readonly AlertCountScope[],
  unit: BucketUnit | undefined,
): readonly CountGrain[] {
  const finest = scopes.every(({ hasHours }) => hasHours) ? 'hour' : 'day';
  const coarsest = unit === undefined ? 0 : COUNT_GRAINS.indexOf(unit);
  return COUNT_GRAINS.slice(coarsest, COUNT_GRAINS.indexOf(finest) + 1);
}
