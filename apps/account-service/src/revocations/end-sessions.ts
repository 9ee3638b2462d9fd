import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { PendingRevocations } from './pending-revocations.ts';
import { replaceTokenSessions } from './revoke-key-tokens.ts';

/** Users, all users of a customer, or those who signed in by a method that the customer no longer allows. */
type SessionOwners =
  | { userIds: number[] }
  | { customerId: number }
  | { customerId: number; allowedMethods: readonly SignInMethodId[] };

/**
 * Ends all active sessions of the owners and revokes their authorization codes; of a customer also the tokens of its keys. Each session is revoked in
 * addition to its owner, because the revocation of a session does not depend on the time when a token was issued.
 */
export async function endSessions(
  transaction: Queryable,
  owners: SessionOwners,
  reason: string,
): Promise<void> {
  const revocations = new PendingRevocations();
  await endSessionsInLongTransaction(transaction, owners, reason, revocations);
  await revocations.write(transaction);
}

/**
 * Same as `endSessions`, for long transactions.
 *
 * @param revocations collects the revocations; the caller writes them at the end of the transaction
 */
export async function endSessionsInLongTransaction(
  transaction: Queryable,
  owners: SessionOwners,
  reason: string,
  revocations: PendingRevocations,
): Promise<void> {
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
  revocations.add(
    'session',
    ended.map(({ id }) => id),
  );
  if ('userIds' in owners) revocations.add('user', owners.userIds);
  else if (!('allowedMethods' in owners)) {
    revocations.add('customer', [owners.customerId]);
    revocations.add('session', await replaceTokenSessions(transaction, owners));
  }
}
