/**
 * A caller's access to one customer: all workspaces, or the listed ones. Rows without a workspace are always included
 * (docs/fleet-api.md#access). The `access` claim of an access token is a list of these.
 */
export interface CustomerAccess {
  customer_id: number;
  workspace_ids: 'all' | number[];
}

/** Everything a caller may see, one entry a customer. */
export type Access = readonly CustomerAccess[];

export const WORKSPACE_ROLES = ['owner', 'member', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];
