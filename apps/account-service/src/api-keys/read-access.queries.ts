import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { revokeKeyTokens } from '../revocations/revoke-key-tokens.ts';
import { ApiKey } from './api-key.entity.ts';
import { isNarrower, type ReadAccess } from './scopes.ts';

/**
 * Locks a key until the transaction ends, and returns what it reads.
 *
 * @returns undefined when the key does not exist
 */
export async function lockReadAccess(
  transaction: Queryable,
  keyId: number,
): Promise<{ read_access: ReadAccess | null } | undefined> {
  const [key] = await transaction.query<{ read_access: ReadAccess | null }>({
    name: 'lock-read-access-of-key',
    text: 'SELECT read_access FROM account.api_keys WHERE id = $1 FOR UPDATE',
    values: [keyId],
  });
  return key;
}

/**
 * Changes what a key reads. Call it under `lockReadAccess`. A narrower access revokes the tokens of the key.
 *
 * @returns whether it differed
 */
export async function changeReadAccess(
  transaction: Queryable,
  keyId: number,
  { from, to }: { from: ReadAccess | null; to: ReadAccess | null },
): Promise<boolean> {
  if (to === from) return false;
  if (isNarrower(to, from)) await revokeKeyTokens(transaction, keyId);
  const change = { read_access: to, updated_at: () => 'clock_timestamp()' };
  await repository(transaction, ApiKey).update({ id: keyId }, change);
  return true;
}
