import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

export interface WorkspaceRow {
  id: number;
  name: string;
  role: WorkspaceRole;
  customer_id: number;
  customer_name: string;
  created_at: Date;
}

/** Returns the workspaces of a user. */
export async function listWorkspacesOf(queryable: Queryable, userId: number): Promise<WorkspaceRow[]> {
  return queryable.query<WorkspaceRow>({
    name: 'list-workspaces-of',
    text: `SELECT workspace_id AS id, workspace_name AS name, role, customer_id, customer_name, created_at
             FROM account.user_workspaces WHERE user_id = $1 ORDER BY workspace_id`,
    values: [userId],
  });
}
