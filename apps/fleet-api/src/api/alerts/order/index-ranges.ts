import type { Branch } from '../../access/access-scope.ts';

/** A branch, or one for each workspace where they are listed: every order has an index for both. */
export function indexRangesOf(branch: Branch): Branch[] {
  // A key has an index of its own, and nearly always one workspace: in the others one would search for nothing.
  if (branch.workspaceIds === 'all' || branch.apiKeyId !== undefined) return [branch];
  return branch.workspaceIds.map((workspaceId) => ({ ...branch, workspaceIds: [workspaceId] }));
}
