import { ROLLUP_SCOPE } from '../../model/metrics/rollup-scope.ts';
import type { AccessScope } from '../access/access-scope.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';

/** Returns whether the scope has at most one row per bucket: true for a whole customer. */
export function hasOneRowPerBucket({ workspaceIds, apiKeyId }: AccessScope): boolean {
  return apiKeyId === undefined && workspaceIds === 'all';
}

/**
 * Returns the predicate for the rows of a metric rollup that add up to one scope: those of the customer, of its listed
 * workspaces, or of an API key in these workspaces. In a rollup, 0 means "no workspace" and "no API key".
 */
export function rollupRowsOf(statement: ScopedStatement, scope: AccessScope, alias: string): string {
  const { workspaceIds, apiKeyId } = scope;
  const rows = (kind: number, key: number | string) =>
    `${statement.customer(alias)} AND ${alias}.scope_kind = ${kind} AND ${alias}.api_key_id = ${key}`;
  if (hasOneRowPerBucket(scope)) {
    return `${rows(ROLLUP_SCOPE.customer, 0)} AND ${alias}.workspace_id = 0`;
  }
  const ofScope =
    apiKeyId === undefined
      ? rows(ROLLUP_SCOPE.workspace, 0)
      : rows(ROLLUP_SCOPE.apiKey, statement.value(apiKeyId));
  if (workspaceIds === 'all') return ofScope;
  const listed = statement.value(workspaceIds.map((id) => id ?? 0));
  return `${ofScope} AND ${alias}.workspace_id = ANY (${listed}::integer[])`;
}
