import type { ScopeFilter } from '../access/access-scope.ts';
import type { ScopeQuery } from './scope.dto.ts';

/** Reads the scope filters of a query that `ScopeQuery` has validated. */
export function parseScopeFilter({ customer_id, workspace_id, api_key_id }: ScopeQuery): ScopeFilter {
  return {
    ...(customer_id === undefined ? {} : { customerId: toId(customer_id) }),
    ...(workspace_id === undefined ? {} : { workspaceId: toId(workspace_id) }),
    ...(api_key_id === undefined ? {} : { apiKeyId: toId(api_key_id) }),
  };
}

/** Clamps ids above the range of safe integers; they match no row. */
function toId(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
