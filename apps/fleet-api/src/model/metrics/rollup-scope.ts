/** `scope_kind` of the rollups: a customer, one of its workspaces, one of its API keys in a workspace. */
export const SCOPE_KIND = { customer: 0, workspace: 1, apiKey: 2 } as const;

/** The workspace and API key that a record or a row belongs to, within its customer. */
export interface Owner {
  workspace_id: number | null;
  api_key_id: number | null;
}

/** Value for "no workspace" and "no key" in a rollup row. */
const NONE = 0;

/** `scope_kind`, `api_key_id` and `workspace_id` of a rollup row. */
export type RollupScope = readonly [kind: number, apiKeyId: number, workspaceId: number];

/** Returns the scopes whose rollups include the data of this owner. */
export function scopesOf({ workspace_id, api_key_id }: Owner): RollupScope[] {
  const workspace = workspace_id ?? NONE;
  const scopes: RollupScope[] = [
    [SCOPE_KIND.customer, NONE, NONE],
    [SCOPE_KIND.workspace, NONE, workspace],
  ];
  if (api_key_id !== null) scopes.push([SCOPE_KIND.apiKey, api_key_id, workspace]);
  return scopes;
}

/** Returns the owner alone, so that a cached value does not keep the record or row in memory. */
export function ownerOf({ workspace_id, api_key_id }: Owner): Owner {
  return { workspace_id, api_key_id };
}

export function sameOwner(a: Owner, b: Owner): boolean {
  return a.workspace_id === b.workspace_id && a.api_key_id === b.api_key_id;
}
