import type { Attributed, WorkspaceRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';

/** Inserts and renames rows of `fleet.workspaces`, by customer and workspace. Returns those that changed. */
const WRITE_WORKSPACES = `INSERT INTO fleet.workspaces AS stored (customer_id, workspace_id, name)
  SELECT $1, workspace_id, name FROM unnest($2::integer[], $3::text[]) AS staged (workspace_id, name)
  ON CONFLICT (customer_id, workspace_id) DO UPDATE SET name = excluded.name WHERE stored.name <> excluded.name
  RETURNING workspace_id`;

/** Writes `workspace` records. Of several in a batch, the last one is used. */
export async function writeWorkspaces(
  { connection, customerId, outcomes }: BatchContext,
  entries: BatchEntry<Attributed<WorkspaceRecord>>[],
): Promise<void> {
  if (entries.length === 0) return;
  const names = new Map<number, string>();
  for (const { record } of entries)
    if (record.workspace_id !== null) names.set(record.workspace_id, record.name);
  const changed = await connection.query<{ workspace_id: number }>(WRITE_WORKSPACES, [
    customerId,
    [...names.keys()],
    [...names.values()],
  ]);
  const written = new Set(changed.map((row) => row.workspace_id));
  for (const entry of entries) {
    const { workspace_id: workspaceId } = entry.record;
    if (workspaceId === null)
      outcomes.recordRejected(entry, 'workspace_id is missing: set the id of the workspace');
    else if (written.has(workspaceId)) outcomes.recordWritten(entry);
    else outcomes.recordDuplicate(entry);
  }
}
