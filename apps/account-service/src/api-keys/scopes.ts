import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';

/** Scopes that only an operator changes: every key may send telemetry, and an operator can grant sending contact requests. */
export type StoredScope = 'telemetry:write' | 'contact:write';

export type KeyScope = StoredScope | typeof FLEET_READ_SCOPE;

/** What a key with the scope `fleet:read` reads: its workspace, or all workspaces of the customer. */
export type ReadAccess = 'workspace' | 'customer';

/**
 * Scopes that an operator can grant and revoke. Owners of a workspace also grant `fleet:read` (`changeScopes` of `ApiKeys`).
 */
export const GRANTABLE_SCOPES: readonly KeyScope[] = ['contact:write', FLEET_READ_SCOPE];

/** SQL of all scopes of a row of `api_keys`, as `scopes`. */
export const SCOPES_COLUMN = `
  CASE WHEN api_keys.read_access IS NULL THEN api_keys.scopes ELSE api_keys.scopes || '${FLEET_READ_SCOPE}'::text END AS scopes`;

/** Returns whether a change takes rights away, so that tokens issued before it must be revoked. */
export function isNarrower(to: ReadAccess | null, from: ReadAccess | null): boolean {
  return (to === null && from !== null) || (to === 'workspace' && from === 'customer');
}
