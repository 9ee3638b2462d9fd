import type { AccessScope } from '../../access/access-scope.ts';

/** Splits a scope into one per listed workspace: each sort has an index by customer and one by workspace. */
export function indexRanges(scope: AccessScope): AccessScope[] {
  // An API key has its own index and usually one workspace: most of its ranges by workspace would be empty.
  if (scope.workspaceIds === 'all' || scope.apiKeyId !== undefined) return [scope];
  return scope.workspaceIds.map((workspaceId) => ({ ...scope, workspaceIds: [workspaceId] }));
}
