import type { Queryable } from '@gpu-observatory/service-runtime';
import { PendingRevocations } from './pending-revocations.ts';

/** Whose sessions: of users, or of everybody at a customer. */
type Owners = { userIds: number[] } | { customerId: number };

/**
 * Ends every living session of some people, and burns the codes that would begin new ones. Each session is revoked by
 * itself beside its owner: a session ends for good, whatever a token's `iat` says, so clocks that differ a little open
 * no gap.
 */
export async function endSessions(transaction: Queryable, owners: Owners, reason: string): Promise<void> {
  const revocations = new PendingRevocations();
  await endSessionsInLongTransaction(transaction, owners, reason, revocations);
  await revocations.write(transaction);
}

/**
 * The same in a transaction that goes on for long.
 *
 * @param revocations take what has to be revoked; the caller writes them
 */
export async function endSessionsInLongTransaction(
  transaction: Queryable,
  owners: Owners,
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
