import { type Access, type CustomerAccess, MAX_ID } from '@gpu-observatory/domain-types';
import type { FastifyRequest } from 'fastify';

/** The scope filters of a request, which narrow the caller's access. See docs/fleet-api.md#scope-filters. */
export interface ScopeFilter {
  customerId?: number;
  workspaceId?: number;
  apiKeyId?: number;
}

/**
 * The rows of one customer that a caller may read. A read of several customers sends one statement for each.
 */
export interface AccessScope {
  customerId: number;
  /** `all`, or a list in which null means rows without a workspace. */
  workspaceIds: 'all' | (number | null)[];
  /** Only rows of this API key, from the scope filter; absent for all rows. It grants no access. */
  apiKeyId?: number;
}

/** Scopes without a filter. The guard caches callers, so the same `Access` object recurs. */
const unfilteredScopes = new WeakMap<Access, readonly AccessScope[]>();

/**
 * Returns the scopes of an access, narrowed by the scope filter: at most one per customer, without duplicate
 * workspaces, so that no row is read twice.
 */
export function accessScopes(access: Access, filter: ScopeFilter = {}): readonly AccessScope[] {
  if (Object.keys(filter).length > 0) return narrowedScopes(access, filter);
  let scopes = unfilteredScopes.get(access);
  if (scopes === undefined) {
    scopes = narrowedScopes(access, {});
    unfilteredScopes.set(access, scopes);
  }
  return scopes;
}

/** Returns the customers whose rows an access can read, narrowed by the scope filter. */
export function customerIdsOf(access: Access, filter: ScopeFilter = {}): number[] {
  return accessScopes(access, filter).map(({ customerId }) => customerId);
}

/** Returns the access of the caller of a request; empty on a public route. */
export function accessOf({ caller }: Pick<FastifyRequest, 'caller'>): Access {
  return caller?.access ?? [];
}

/** Returns the customers whose rows the caller of a request can read. */
export function customerIdsOfCaller(request: Pick<FastifyRequest, 'caller'>): number[] {
  return customerIdsOf(accessOf(request));
}

function narrowedScopes(access: Access, filter: ScopeFilter): AccessScope[] {
  const { apiKeyId } = filter;
  // Ids above MAX_ID do not fit into the columns; they match no row.
  if (apiKeyId !== undefined && apiKeyId > MAX_ID) return [];
  const customerIds = [...new Set(access.map((entry) => entry.customer_id))].filter(
    (id) => id <= MAX_ID && (filter.customerId === undefined || id === filter.customerId),
  );
  return customerIds
    .map((customerId) => {
      const entries = access.filter((entry) => entry.customer_id === customerId);
      const workspaceIds = visibleWorkspaces(entries, filter.workspaceId);
      return { customerId, workspaceIds, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    })
    .filter(({ workspaceIds }) => workspaceIds === 'all' || workspaceIds.length > 0);
}

function visibleWorkspaces(
  entries: CustomerAccess[],
  filterId: number | undefined,
): AccessScope['workspaceIds'] {
  const all = entries.some((entry) => entry.workspace_ids === 'all');
  const listed = entries.flatMap((entry) => (entry.workspace_ids === 'all' ? [] : entry.workspace_ids));
  if (filterId !== undefined) {
    return filterId <= MAX_ID && (all || listed.includes(filterId)) ? [filterId] : [];
  }
  return all ? 'all' : [null, ...new Set(listed.filter((id) => id <= MAX_ID))];
}

/**
 * Kinds of index ranges: all rows of a customer, the rows of each listed workspace, or the rows of an API key in all or in listed
 * workspaces.
 */
export const RANGES = ['customer', 'workspaces', 'apiKey'] as const;
export type Range = (typeof RANGES)[number];

export function rangeOf(scope: AccessScope): Range {
  return scope.apiKeyId === undefined ? workspaceRangeOf(scope) : 'apiKey';
}

/** Returns the range of a scope in a table without an index of API keys. */
export function workspaceRangeOf({ workspaceIds }: AccessScope): Exclude<Range, 'apiKey'> {
  return workspaceIds === 'all' ? 'customer' : 'workspaces';
}
