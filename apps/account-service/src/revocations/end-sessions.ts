import type { Queryable } from '@gpu-observatory/service-runtime';
import { PendingRevocations } from './pending-revocations.ts';

/** Users, or all users of a customer. */
type SessionOwners = { userIds: number[] } | { customerId: number };

/**
 * Ends all active sessions of the owners and consumes their pending authorization codes. Each session is revoked in
 * addition to its owner: a session revocation does not compare timestamps, so clock skew leaves no gap.
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
  const [condition, value] =
    'userIds' in owners
      ? ['users.id = ANY($1::integer[])', owners.userIds]
      : ['users.customer_id = $1', owners.customerId];
  const ended = await transaction.query<{ id: string }>({
    text: `UPDATE account.sessions
              SET ended_at = clock_timestamp(), end_reason = $2
             FROM account.users
            WHERE users.id = sessions.user_id AND ${condition}
              AND sessions.ended_at IS NULL AND sessions.expires_at > clock_timestamp()
           RETURNING sessions.id`,
    values: [value, reason],
  });
  await transaction.query({
    text: `UPDATE account.authorization_codes
              SET consumed_at = clock_timestamp()
             FROM account.users
            WHERE users.id = authorization_codes.user_id AND ${condition}
              AND authorization_codes.consumed_at IS NULL`,
    values: [value],
  });
  revocations.add(
    'session',
    ended.map(({ id }) => id),
  );
  if ('userIds' in owners) revocations.add('user', owners.userIds);
  else revocations.add('customer', [owners.customerId]);
}
