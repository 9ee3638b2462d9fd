import { ALERT_COUNT_SCOPE, NO_WORKSPACE } from '../../../model/alerts/alert-count-scope.ts';
import type { AccessScope } from '../../access/access-scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../order/alert-sorts.ts';
import type { BucketUnit } from './bucket-unit.ts';
import { COUNT_GRAINS, type CountGrain } from './count-spans.ts';

/** Whether `fleet.alert_counts` has counts for this scope: those of an API key are not split by workspace. */
export function isCounted({ workspaceIds, apiKeyId }: AccessScope): boolean {
  return apiKeyId === undefined || workspaceIds === 'all';
}

/** What the counts of a scope are split by: severity, state and type; severity and state; type. */
export type CountedBy = 'all' | 'severityAndState' | 'type';

interface ScopeKinds {
  customer: number;
  workspace: number;
  /** Undefined where API keys are not counted. */
  apiKey?: number;
}

const { customer, workspace, apiKey, ...others } = ALERT_COUNT_SCOPE;
const KINDS: Record<CountedBy, ScopeKinds> = {
  all: { customer, workspace, apiKey },
  severityAndState: {
    customer: others.customerAllTypes,
    workspace: others.workspaceAllTypes,
    apiKey: others.apiKeyAllTypes,
  },
  type: { customer: others.customerTypes, workspace: others.workspaceTypes },
};

/** Returns the counts to sum: the fewest that have the columns and serve the filters. */
export function storedCounts(
  { severity, state, type }: AlertSelection,
  { apiKeyId }: AccessScope,
  { by, typesApart }: { by: readonly ValueField[]; typesApart: boolean },
): CountedBy[] {
  if (apiKeyId === undefined && severity === null && state === null) {
    if (typesApart) return ['severityAndState', 'type'];
    if (by.length === 1 && by[0] === 'type') return ['type'];
  }
  return [by.includes('type') || type !== null ? 'all' : 'severityAndState'];
}

/** Returns the grains that all of these counts have, none coarser than the buckets. */
export function storedGrains(
  counts: readonly CountedBy[],
  { workspaceIds, apiKeyId }: AccessScope,
  unit: BucketUnit | undefined,
): readonly CountGrain[] {
  // Of severity, state and type, a quarter of an hour has almost as many combinations as alerts.
  const hasQuarterHours = workspaceIds === 'all' && !counts.includes('all');
  const finest = apiKeyId !== undefined ? 'day' : hasQuarterHours ? 'quarterHour' : 'hour';
  const coarsest = unit === undefined ? 0 : COUNT_GRAINS.indexOf(unit);
  return COUNT_GRAINS.slice(coarsest, COUNT_GRAINS.indexOf(finest) + 1);
}

/**
 * Returns the predicate for the rows of `fleet.alert_counts` that add up to one scope: those of the customer, of its
 * listed workspaces, or of an API key.
 */
export function countRowsOf(
  statement: ScopedStatement,
  scope: AccessScope,
  alias: string,
  counted: CountedBy,
): string {
  const { workspaceIds, apiKeyId } = scope;
  const kinds = KINDS[counted];
  const rows = (kind: number | undefined) =>
    `${statement.customer(alias)} AND ${alias}.scope_kind = ${kind} AND ${alias}.scope_id`;
  if (apiKeyId !== undefined) return `${rows(kinds.apiKey)} = ${statement.value(apiKeyId)}`;
  return workspaceIds === 'all'
    ? `${rows(kinds.customer)} = 0`
    : `${rows(kinds.workspace)} = ANY (${workspaceList(statement, workspaceIds)}::integer[])`;
}

/**
 * Returns an expression for whether an API key has alerts outside of the scope's workspaces. If not, the counts of the
 * key are those of the scope. It does not depend on the row, so PostgreSQL evaluates it once per statement.
 */
export function hasAlertsOutside(statement: ScopedStatement, scope: AccessScope): string {
  const { workspaceIds, apiKeyId } = scope;
  const listed = workspaceList(statement, workspaceIds === 'all' ? [] : workspaceIds);
  return `(SELECT EXISTS (SELECT 1 FROM fleet.api_key_workspaces w WHERE ${statement.customer('w')}
        AND w.api_key_id = ${statement.value(apiKeyId)} AND w.workspace_id <> ALL (${listed}::integer[])))`;
}

function workspaceList(statement: ScopedStatement, workspaceIds: (number | null)[]): string {
  return statement.value(workspaceIds.map((id) => id ?? NO_WORKSPACE));
}
