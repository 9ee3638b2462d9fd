/**
 * What a caller may see of one customer: all of it, or what belongs to no workspace and to the listed ones
 * (decisions, section 2, Access). It is also the form of the `access` claim of an access token.
 */
export interface CustomerAccess {
  customer_id: number;
  workspace_ids: 'all' | number[];
}

/** Everything a caller may see, one entry a customer. */
export type Access = readonly CustomerAccess[];

export const WORKSPACE_ROLES = ['owner', 'member', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];
