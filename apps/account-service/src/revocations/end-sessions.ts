import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { revoke, type RevokedSubject } from './revoke.ts';
import { replaceTokenSessions } from './revoke-key-tokens.ts';

/** Users, all users of a customer, or those who signed in by a method that the customer no longer allows. */
type SessionOwners =
  | { userIds: number[] }
  | { customerId: number }
  | { customerId: number; allowedMethods: readonly SignInMethodId[] };

/**
 * Ends all active sessions of the owners and revokes their authorization codes; of a customer also the tokens of its keys. Each
 * session is revoked in addition to its owner, because the revocation of a session does not depend on the time when a token was
 * issued.
 */
export async function endSessions(
  transaction: Queryable,
  owners: SessionOwners,
  reason: string,
): Promise<void> {
  await revoke(transaction, await endSessionsInLongTransaction(transaction, owners, reason));
}

/**
 * Same as `endSessions`, for long transactions.
 *
 * @returns whose tokens the caller revokes at the end of the transaction. Verifiers overlap their reads by 10 s, so they would
 * miss a revocation that is inserted more than 10 s before its commit.
 */
export async function endSessionsInLongTransaction(
  transaction: Queryable,
  owners: SessionOwners,
  reason: string,
): Promise<RevokedSubject[]> {
  const allowedMethods = 'allowedMethods' in owners ? owners.allowedMethods : [];
  const condition = 'userIds' in owners ? 'users.id = ANY($1::integer[])' : 'users.customer_id = $1';
  const values = ['userIds' in owners ? owners.userIds : owners.customerId, allowedMethods];
  const ended = await transaction.query<{ id: string }>({
    text: `UPDATE account.sessions
              SET ended_at = clock_timestamp(), end_reason = $3
             FROM account.users
            WHERE users.id = sessions.user_id AND ${condition}
              AND sessions.sign_in_method <> ALL($2::text[])
              AND sessions.ended_at IS NULL AND sessions.expires_at > clock_timestamp()
           RETURNING sessions.id`,
    values: [...values, reason],
  });
  await transaction.query({
    text: `UPDATE account.authorization_codes
              SET consumed_at = coalesce(consumed_at, clock_timestamp()), revoked_at = clock_timestamp()
             FROM account.users
            WHERE users.id = authorization_codes.user_id AND ${condition}
              AND authorization_codes.sign_in_method <> ALL($2::text[])
              AND authorization_codes.revoked_at IS NULL`,
    values,
  });
  const sessions = ended.map(({ id }) => ({ kind: 'session', id }) as const);
  if ('userIds' in owners) {
    return [...sessions, ...owners.userIds.map((id) => ({ kind: 'user', id: String(id) }) as const)];
  }
  if ('allowedMethods' in owners) return sessions;
  const ofKeys = await replaceTokenSessions(transaction, owners);
  return [...sessions, ...ofKeys, { kind: 'customer', id: String(owners.customerId) }];
}
