import type { ScopeFilter } from '../access/access-scope.ts';
import { PositiveInteger } from './parameters.ts';

/** Filters that narrow the caller's access, see docs/fleet-api.md#scope-filters. */
export class ScopeQuery {
  @PositiveInteger({ description: 'Only rows of this customer.' })
  customer_id?: string;

  @PositiveInteger({ description: 'Only rows of this workspace.' })
  workspace_id?: string;

  @PositiveInteger({ description: 'Only rows that this API key sent.' })
  api_key_id?: string;
}

/** Reads the scope filters of a validated query. */
export function parseScopeFilter({ customer_id, workspace_id, api_key_id }: ScopeQuery): ScopeFilter {
  const filter: ScopeFilter = {};
  if (customer_id !== undefined) filter.customerId = toId(customer_id);
  if (workspace_id !== undefined) filter.workspaceId = toId(workspace_id);
  if (api_key_id !== undefined) filter.apiKeyId = toId(api_key_id);
  return filter;
}

/** Clamps ids above the range of safe integers; they match no row. */
function toId(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
