import type { ImportDatabase } from './import-database.ts';

interface NamedWorkspace {
  customerId: number;
  workspaceId: number;
  name: string;
}

/** Stores the name of the workspace that an import writes to, like a `workspace` record. */
export async function recordWorkspaceName(
  database: Pick<ImportDatabase, 'write'>,
  { customerId, workspaceId, name }: NamedWorkspace,
): Promise<void> {
  const owner = { customer_id: customerId, workspace_id: workspaceId, api_key_id: null };
  await database.write({
    customerId,
    entries: [{ record: { kind: 'workspace', ...owner, name }, origin: { file: '', lines: [] } }],
  });
}
