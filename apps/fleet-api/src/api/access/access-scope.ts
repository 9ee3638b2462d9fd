import type { Access, CustomerAccess } from '@gpu-observatory/domain-types';

/** What narrows a caller's access within one request (contract 4.1, scope filters). */
export interface ScopeFilter {
  customerId?: number;
  workspaceId?: number;
  apiKeyId?: number;
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
  /** Narrows the rows to those of one API key; no right of its own. */
  apiKeyId?: number;
}

/** Whether `fleet.alert_counts` tells how many alerts a branch has: an API key's are not counted by workspace. */
export function isCounted({ workspaceIds, apiKeyId }: Branch): boolean {
  return apiKeyId === undefined || workspaceIds === 'all';
}

/** PostgreSQL's largest integer; an id beyond it is valid and matches nothing (decisions, section 1, Integers). */
const LARGEST_ID = 2_147_483_647;

/**
 * The branches of an access, narrowed by a request's scope filters; what lies outside of it is simply not there. There is
 * one for each customer and nothing twice in it, whatever the access repeats: a row is served once.
 */
export function branchesOf(access: Access, filter: ScopeFilter = {}): Branch[] {
  const { apiKeyId } = filter;
  if (apiKeyId !== undefined && apiKeyId > LARGEST_ID) return [];
  const customerIds = [...new Set(access.map((entry) => entry.customer_id))].filter(
    (id) => id <= LARGEST_ID && (filter.customerId === undefined || id === filter.customerId),
  );
  return customerIds
    .map((customerId) => {
      const entries = access.filter((entry) => entry.customer_id === customerId);
      const workspaceIds = visibleWorkspaces(entries, filter.workspaceId);
      return { customerId, workspaceIds, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    })
    .filter(({ workspaceIds }) => workspaceIds === 'all' || workspaceIds.length > 0);
}

function visibleWorkspaces(entries: CustomerAccess[], wanted: number | undefined): Branch['workspaceIds'] {
  const all = entries.some((entry) => entry.workspace_ids === 'all');
  const listed = entries.flatMap((entry) => (entry.workspace_ids === 'all' ? [] : entry.workspace_ids));
  if (wanted !== undefined) {
    return wanted <= LARGEST_ID && (all || listed.includes(wanted)) ? [wanted] : [];
  }
  return all ? 'all' : [null, ...new Set(listed.filter((id) => id <= LARGEST_ID))];
}
