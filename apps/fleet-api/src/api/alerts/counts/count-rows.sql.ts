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
  const kinds = ALERT_COUNT_SCOPE;
  const { apiKeyId } = scope;
  if (apiKeyId !== undefined) {
    const ofKey = rowsOfKind(statement, scope, alias, byType ? kinds.apiKey : kinds.apiKeyAllTypes);
    return `${ofKey} AND ${alias}.scope_id = ${statement.value(apiKeyId)}`;
  }
  return byType
    ? rowsOfWorkspaces(statement, scope, alias, [kinds.customer, kinds.workspace])
    : rowsOfWorkspaces(statement, scope, alias, [kinds.customerAllTypes, kinds.workspaceAllTypes]);
}

/** Returns the predicate for the counts of the customer, or of its listed workspaces, by type alone. */
export function typeCountsOf(statement: ScopedStatement, scope: AccessScope, alias: string): string {
  const { customerTypes, workspaceTypes } = ALERT_COUNT_SCOPE;
  return rowsOfWorkspaces(statement, scope, alias, [customerTypes, workspaceTypes]);
}

function rowsOfWorkspaces(
  statement: ScopedStatement,
  scope: AccessScope,
  alias: string,
  [ofCustomer, ofWorkspace]: readonly [number, number],
): string {
  const { workspaceIds } = scope;
  return workspaceIds === 'all'
    ? `${rowsOfKind(statement, scope, alias, ofCustomer)} AND ${alias}.scope_id = 0`
    : `${rowsOfKind(statement, scope, alias, ofWorkspace)} AND ${alias}.scope_id = ANY (${workspaceList(statement, workspaceIds)}::integer[])`;
}

function rowsOfKind(statement: ScopedStatement, scope: AccessScope, alias: string, kind: number): string {
  return `${statement.customerOf(scope, alias)} AND ${alias}.scope_kind = ${kind}`;
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
