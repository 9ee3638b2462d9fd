import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { WorkspaceResponse } from './workspaces.dto.ts';

export async function listWorkspacesOf(queryable: Queryable, userId: number): Promise<WorkspaceResponse[]> {
  return queryable.query<WorkspaceResponse>({
    name: 'list-workspaces-of',
    text: `SELECT workspace_id AS id, workspace_name AS name, role, customer_id, customer_name, created_at
             FROM account.user_workspaces WHERE user_id = $1 ORDER BY workspace_id`,
    values: [userId],
  });
}
