import type { Attributed, WorkspaceRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

/** `workspace` records: the name that alert details show. */
export async function writeWorkspaces(
  connection: ImportConnection,
  customerId: number,
  entries: BatchEntry<Attributed<WorkspaceRecord>>[],
  outcomes: Outcomes,
): Promise<void> {
  for (const entry of entries) {
    const { workspace_id: workspaceId, name } = entry.record;
    if (workspaceId === null) {
      outcomes.reject(entry, 'workspace_id is missing: give the id of the workspace that has this name');
      continue;
    }
    const changed = await connection.query(
      `INSERT INTO fleet.workspaces AS known (customer_id, workspace_id, name) VALUES ($1, $2, $3)
       ON CONFLICT (customer_id, workspace_id) DO UPDATE SET name = excluded.name WHERE known.name <> excluded.name
       RETURNING workspace_id`,
      [customerId, workspaceId, name],
    );
    if (changed.length > 0) outcomes.wrote(entry);
    else outcomes.known(entry);
  }
}
