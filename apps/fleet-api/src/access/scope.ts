import type { Access, CustomerAccess } from '@gpu-observatory/domain-types';

/** What narrows a caller's access within one request (contract 4.1, scope filters). */
export interface ScopeFilter {
  customerId?: number;
  workspaceId?: number;
}

/**
 * The rows of one customer that a caller may see: all of them, or those of no workspace and of the listed ones. A list
 * over several is put together from branches, each with its own index range: `= ANY` over customers would read and sort
 * everything.
 */
export interface Branch {
  customerId: number;
  /** `all`, or the workspaces; null among them stands for rows of no workspace. */
  workspaceIds: 'all' | (number | null)[];
}

/** PostgreSQL's largest integer; an id beyond it is valid and matches nothing (decisions, section 1, Integers). */
const LARGEST_ID = 2_147_483_647;

/** The branches of an access, narrowed by a request's scope filters; what lies outside of it is simply not there. */
export function branchesOf(access: Access, filter: ScopeFilter = {}): Branch[] {
  return access
    .filter((entry) => filter.customerId === undefined || entry.customer_id === filter.customerId)
    .map((entry) => branchOf(entry, filter.workspaceId))
    .filter((branch) => branch.workspaceIds === 'all' || branch.workspaceIds.length > 0);
}

function branchOf(entry: CustomerAccess, workspaceId: number | undefined): Branch {
  const { customer_id: customerId, workspace_ids: allowed } = entry;
  if (workspaceId === undefined) {
    return { customerId, workspaceIds: allowed === 'all' ? 'all' : [null, ...allowed] };
  }
  const visible = workspaceId <= LARGEST_ID && (allowed === 'all' || allowed.includes(workspaceId));
  return { customerId, workspaceIds: visible ? [workspaceId] : [] };
}
