/**
 * A caller's access to one customer: all workspaces, or the listed ones and data without a workspace
 * (docs/fleet-api.md#access). The `access` claim of an access token has this shape.
 */
export interface CustomerAccess {
  customer_id: number;
  workspace_ids: 'all' | number[];
}

/** A caller's access, one entry per customer. */
export type Access = readonly CustomerAccess[];

export const WORKSPACE_ROLES = ['owner', 'member', 'viewer'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];
