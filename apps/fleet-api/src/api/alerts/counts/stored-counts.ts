import { ALERT_COUNT_SCOPES, type AlertCountScope } from '../../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../../model/metrics/time-grains.ts';
import type { AccessScope } from '../../access/access-scope.ts';
import { rangeOf } from '../../access/tenant-statement.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../value-fields.ts';
import type { BucketUnit } from './bucket-unit.ts';
import { COUNT_GRAINS, type CountGrain, countSpans } from './count-spans.ts';

/** What a statement counts: the columns it groups by, and the length of its buckets. */
export interface Grouping {
  by: readonly ValueField[];
  unit?: BucketUnit | undefined;
  /**
   * Whether severities and states may be counted separately from types: customers and workspaces have rows by severity and state, with
   * an empty type, and by type, with `ANY_RANK`.
   */
  mayCountTypesSeparately?: boolean;
}

/**
 * Parameters of the sums over `fleet.alert_counts`, of the rows at the edges of the window, and of the window. The n-th elements of
 * the lists are those of one span.
 */
export interface CountParameters {
  countKinds: number[];
  countGrains: number[];
  countFroms: Date[];
  countTos: Date[];
  countSigns: number[];
  edgeFroms: Date[];
  edgeTos: Date[];
  edgeSigns: number[];
  from: Date;
  to: Date;
  /** Whether no counts have the grouping, so that all rows of the window are counted. */
  countsAllRows: boolean;
}

/**
 * Returns the counts to sum: the fewest that have the columns and serve the filters. Whole buckets are read from
 * `fleet.alert_counts`, the rest of the window from the alerts.
 */
export function countParameters(
  selection: AlertSelection,
  scope: AccessScope,
  grouping: Grouping,
): CountParameters {
  const { window } = selection;
  const scopes = storedScopes(selection, scope, grouping);
  const grains = storedGrains(scopes, grouping.unit);
  const countsAllRows = grains.length === 0;
  const spans = countsAllRows ? [] : countSpans(window, grains);
  const edges = spans.filter(({ grain }) => grain === 'row');
  const sums = scopes.flatMap(({ kind }) =>
    spans
      .filter(({ grain }) => grain !== 'row')
      .map((span) => ({ ...span, kind, grain: GRAIN[span.grain as CountGrain] })),
  );
  return {
    countKinds: sums.map(({ kind }) => kind),
    countGrains: sums.map(({ grain }) => grain),
    countFroms: sums.map(({ fromMs }) => new Date(fromMs)),
    countTos: sums.map(({ toMs }) => new Date(toMs)),
    countSigns: sums.map(({ sign }) => sign),
    edgeFroms: edges.map(({ fromMs }) => new Date(fromMs)),
    edgeTos: edges.map(({ toMs }) => new Date(toMs)),
    edgeSigns: edges.map(({ sign }) => sign),
    from: new Date(window.fromMs),
    to: new Date(window.toMs),
    countsAllRows,
  };
}

/** Returns the scopes whose counts add up to the grouping. */
function storedScopes(selection: AlertSelection, scope: AccessScope, grouping: Grouping): AlertCountScope[] {
  const owner = ({ customer: 'customer', workspaces: 'workspace', key: 'apiKey' } as const)[rangeOf(scope)];
  const splits = splitsOf(selection, owner, grouping);
  return ALERT_COUNT_SCOPES.filter((stored) => stored.owner === owner && splits.includes(stored.groupedBy));
}

function splitsOf(
  { values: { severity, state, type } }: AlertSelection,
  owner: AlertCountScope['owner'],
  { by, mayCountTypesSeparately = false }: Grouping,
): AlertCountScope['groupedBy'][] {
  if (owner !== 'apiKey' && severity === null && state === null) {
    if (mayCountTypesSeparately && type === null) return ['severityAndState', 'type'];
    if (by.length === 1 && by[0] === 'type') return ['type'];
  }
  return [by.includes('type') || type !== null ? 'all' : 'severityAndState'];
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
