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

/** Returns the workspaces of a user. An administrator is an owner of every workspace of the customer. */
export async function listWorkspacesOf(queryable: Queryable, userId: number): Promise<WorkspaceRow[]> {
  return queryable.query<WorkspaceRow>({
    name: 'list-workspaces-of',
    text: `SELECT workspaces.id, workspaces.name,
                  CASE WHEN users.administrator THEN 'owner' ELSE workspace_members.role END AS role,
                  workspaces.customer_id, customers.name AS customer_name, workspaces.created_at
             FROM account.users
             JOIN account.customers ON customers.id = users.customer_id
             JOIN account.workspaces ON workspaces.customer_id = users.customer_id
             LEFT JOIN account.workspace_members ON workspace_members.workspace_id = workspaces.id
                                                AND workspace_members.user_id = users.id
            WHERE users.id = $1 AND (users.administrator OR workspace_members.role IS NOT NULL)
            ORDER BY workspaces.id`,
    values: [userId],
  });
}
