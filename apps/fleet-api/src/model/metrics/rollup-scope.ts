import { ROLLUP_SCOPE } from './measures.ts';

/** Whose something is, within its customer. */
export interface Owner {
  workspaceId: number | null;
  apiKeyId: number | null;
}

/** What stands for "no workspace" and "no key" in a rollup's row. */
const NONE = 0;

/** `scope_kind`, `api_key_id` and `workspace_id` of a rollup's row. */
export type RollupScope = readonly [kind: number, apiKeyId: number, workspaceId: number];

/** The rows to which something of this owner adds. */
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

export function sameOwner(one: Owner, other: Owner): boolean {
  return one.workspaceId === other.workspaceId && one.apiKeyId === other.apiKeyId;
}
