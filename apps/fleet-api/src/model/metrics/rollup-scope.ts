/** `scope_kind` of the rollups: a customer, one of its workspaces, one of its API keys in a workspace. */
export const ROLLUP_SCOPE = { customer: 0, workspace: 1, apiKey: 2 } as const;

/** The workspace and API key that an entity belongs to, within its customer. */
export interface Owner {
  workspaceId: number | null;
  apiKeyId: number | null;
}

/** Value for "no workspace" and "no key" in a rollup row. */
const NONE = 0;

/** `scope_kind`, `api_key_id` and `workspace_id` of a rollup row. */
export type RollupScope = readonly [kind: number, apiKeyId: number, workspaceId: number];

/** Returns the scopes whose rows include what this owner has. */
export function scopesOf({ workspaceId, apiKeyId }: Owner): RollupScope[] {
  const workspace = workspaceId ?? NONE;
  const scopes: RollupScope[] = [
    [ROLLUP_SCOPE.customer, NONE, NONE],
    [ROLLUP_SCOPE.workspace, NONE, workspace],
  ];
  if (apiKeyId !== null) scopes.push([ROLLUP_SCOPE.apiKey, apiKeyId, workspace]);
  return scopes;
}

export function ownerOf(record: { workspace_id: number | null; api_key_id: number | null }): Owner {
  return { workspaceId: record.workspace_id, apiKeyId: record.api_key_id };
}

export function sameOwner(a: Owner, b: Owner): boolean {
  return a.workspaceId === b.workspaceId && a.apiKeyId === b.apiKeyId;
}
