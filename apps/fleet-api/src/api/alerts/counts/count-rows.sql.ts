import { ALERT_COUNT_SCOPE, NO_WORKSPACE } from '../../../model/alerts/alert-count-scope.ts';
import type { AccessScope } from '../../access/access-scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';

/** Whether `fleet.alert_counts` has counts for this scope: those of an API key are not split by workspace. */
export function isCounted({ workspaceIds, apiKeyId }: AccessScope): boolean {
  return apiKeyId === undefined || workspaceIds === 'all';
}

/**
 * Returns the predicate for the rows of `fleet.alert_counts` that add up to one scope: those of the customer, of its
 * listed workspaces, or of an API key.
 *
 * @param byType false to read the counts without types, a fraction of the rows
 */
export function countRowsOf(
  statement: ScopedStatement,
  scope: AccessScope,
  alias: string,
  byType: boolean,
): string {
  const { workspaceIds, apiKeyId } = scope;
  const rows = (kind: number) => `${statement.customerOf(scope, alias)} AND ${alias}.scope_kind = ${kind}`;
  if (apiKeyId !== undefined) {
    return `${rows(byType ? ALERT_COUNT_SCOPE.apiKey : ALERT_COUNT_SCOPE.apiKeyAllTypes)} AND ${alias}.scope_id = ${statement.value(apiKeyId)}`;
  }
  if (workspaceIds === 'all') {
    return `${rows(byType ? ALERT_COUNT_SCOPE.customer : ALERT_COUNT_SCOPE.customerAllTypes)} AND ${alias}.scope_id = 0`;
  }
  const ofWorkspaces = rows(byType ? ALERT_COUNT_SCOPE.workspace : ALERT_COUNT_SCOPE.workspaceAllTypes);
  return `${ofWorkspaces} AND ${alias}.scope_id = ANY (${workspaceList(statement, workspaceIds)}::integer[])`;
}

/** Returns the predicate for the counts of a customer by type alone. */
export function typeCountsOf(statement: ScopedStatement, scope: AccessScope, alias: string): string {
  return `${statement.customerOf(scope, alias)} AND ${alias}.scope_kind = ${ALERT_COUNT_SCOPE.customerTypes} AND ${alias}.scope_id = 0`;
}

/**
 * Returns an expression for whether an API key has alerts outside of the scope's workspaces. If not, the counts of the
 * key are those of the scope. It does not depend on the row, so PostgreSQL evaluates it once per statement.
 */
export function hasAlertsOutside(statement: ScopedStatement, scope: AccessScope): string {
  const { workspaceIds, apiKeyId } = scope;
  const listed = workspaceList(statement, workspaceIds === 'all' ? [] : workspaceIds);
  return `(SELECT EXISTS (SELECT 1 FROM fleet.api_key_workspaces w WHERE w.customer_id = ${statement.customerId(scope)}
        AND w.api_key_id = ${statement.value(apiKeyId)} AND w.workspace_id <> ALL (${listed}::integer[])))`;
}

function workspaceList(statement: ScopedStatement, workspaceIds: (number | null)[]): string {
  return statement.value(workspaceIds.map((id) => id ?? NO_WORKSPACE));
}
