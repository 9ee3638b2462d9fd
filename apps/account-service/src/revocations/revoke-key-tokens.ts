import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { revoke, type RevokedSubject } from './revoke.ts';

/**
 * Gives the reading keys a new `sid` for their tokens. Locks all keys before it checks which ones read, so that it waits for a
 * grant that is not yet committed. An exchange needs no lock: it reads the new `sid`, or the old one, whose revocation is
 * permanent.
 *
 * @returns the old ones, which the caller revokes
 */
export async function replaceTokenSessions(
  transaction: Queryable,
  keys: { keyId: number } | { customerId: number },
): Promise<RevokedSubject[]> {
  const replaced = await transaction.query<{ token_session_id: string }>({
    text: `WITH keys AS (
             SELECT api_keys.id, api_keys.token_session_id, api_keys.read_access
               FROM account.api_keys
               JOIN account.workspaces ON workspaces.id = api_keys.workspace_id
              WHERE ${'keyId' in keys ? 'api_keys.id = $1' : 'workspaces.customer_id = $1'}
                FOR UPDATE OF api_keys)
           UPDATE account.api_keys SET token_session_id = gen_random_uuid()
             FROM keys
            WHERE api_keys.id = keys.id AND keys.read_access IS NOT NULL
           RETURNING keys.token_session_id`,
    values: ['keyId' in keys ? keys.keyId : keys.customerId],
  });
  return replaced.map(({ token_session_id: id }) => ({ kind: 'session', id }));
}

/** Revokes the access tokens of a key. Call it before the change that ends its right to read. */
export async function revokeKeyTokens(transaction: Queryable, keyId: number): Promise<void> {
  await revoke(transaction, await replaceTokenSessions(transaction, { keyId }));
}
