import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import type { UsersWorkspace } from './api-keys.queries.ts';
import type { KeyScope, ReadAccess } from './scopes.ts';

/** @throws {DomainError} 403 for a viewer of the workspace */
export function denyViewer({ role }: UsersWorkspace): void {
  if (role !== 'viewer') return;
  throw new DomainError(
    accountErrors.forbidden,
    'Viewers of a workspace can only list its keys; creating, rotating or deleting one needs the owner or member role, ' +
      'and changing its scopes the owner role.',
  );
}

/**
 * Owners of the workspace grant reading it; only administrators of the customer grant reading all workspaces.
 *
 * @throws {DomainError} 403 when the user may not grant what a key reads
 */
export function requireRoleFor(access: ReadAccess | null, { role, administrator }: UsersWorkspace): void {
  if (access === 'workspace' && role !== 'owner') {
    throw new DomainError(
      accountErrors.forbidden,
      `A key with the scope ${FLEET_READ_SCOPE} can be granted and rotated only by an owner of its workspace.`,
    );
  }
  if (access === 'customer' && !administrator) {
    throw new DomainError(
      accountErrors.forbidden,
      'A key that reads all workspaces can be granted and rotated only by an administrator of the organization.',
    );
  }
}

/** @throws {DomainError} 403 when a scope other than `fleet:read` would change */
export function requireUnchangedScopes(current: readonly KeyScope[], requested: readonly KeyScope[]): void {
  const changed = [...current, ...requested].find(
    (scope) => scope !== FLEET_READ_SCOPE && current.includes(scope) !== requested.includes(scope),
  );
  if (changed === undefined) return;
  throw new DomainError(
    accountErrors.forbidden,
    `Only an operator can change the scope ${changed}; send it as it is.`,
  );
}
