import type { Access } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { hashToken } from '../secrets/opaque-token.ts';
import type { Session } from './session.entity.ts';

/**
 * Time until the next second after a revocation of the user or customer within the last 2 s; null without one. Read outside
 * of the transaction that issues a token: see `waitPastRevocation`. Uses `statement_timestamp()`: with the volatile `clock_timestamp()`, PostgreSQL would read the whole
 * table instead of an index.
 */
const REVOKED_UNTIL_MS = `
  (SELECT (1000 * (ceil(extract(epoch FROM max(not_before))) - extract(epoch FROM clock_timestamp())))::integer
     FROM account.revocations
    WHERE recorded_at > statement_timestamp() - interval '2 seconds'
      AND (kind, subject_id) IN (('user', users.id::text), ('customer', users.customer_id::text))) AS revoked_until_ms`;

export interface SessionRow extends Pick<
  Session,
  'id' | 'user_id' | 'sign_in_method' | 'expires_at' | 'ended_at'
> {
  customer_id: number;
  revoked_until_ms: number | null;
}

export async function findSessionByRefreshToken(
  queryable: Queryable,
  refreshToken: string,
): Promise<SessionRow | undefined> {
  const [session] = await queryable.query<SessionRow>({
    name: 'find-session-by-refresh-token',
    text: `SELECT sessions.id, sessions.user_id, sessions.sign_in_method, users.customer_id, sessions.expires_at,
                  sessions.ended_at, ${REVOKED_UNTIL_MS}
             FROM account.sessions
             JOIN account.users ON users.id = sessions.user_id
            WHERE sessions.refresh_token_hash = $1`,
    values: [hashToken(refreshToken)],
  });
  return session;
}

/** @returns the owner, or undefined when the session has already ended or belongs to another user than `ownerId` */
export async function markSessionEnded(
  transaction: Queryable,
  sessionId: string,
  reason: string,
  ownerId?: number,
): Promise<{ user_id: number } | undefined> {
  const [ended] = await transaction.query<{ user_id: number }>({
    name: 'end-session',
    text: `UPDATE account.sessions SET ended_at = clock_timestamp(), end_reason = $2
            WHERE id = $1 AND ended_at IS NULL AND ($3::integer IS NULL OR user_id = $3)
           RETURNING user_id`,
    values: [sessionId, reason, ownerId],
  });
  return ended;
}

/** Returns the customer of a user, for its lock; undefined when the user does not exist. */
export async function findCustomerOfUser(
  queryable: Queryable,
  userId: number,
): Promise<{ customer_id: number; revoked_until_ms: number | null } | undefined> {
  const [user] = await queryable.query<{ customer_id: number; revoked_until_ms: number | null }>({
    name: 'find-customer-of-user',
    text: `SELECT users.customer_id, ${REVOKED_UNTIL_MS} FROM account.users WHERE users.id = $1`,
    values: [userId],
  });
  return user;
}

/**
 * Returns the current access of a user: all workspaces for an administrator, else those of their memberships, nothing
 * without one. Returns null when the user may not sign in: the user is disabled, the customer is inactive, or the
 * customer no longer has the email domain or allows the sign-in method. `readAt` is the time of the database.
 */
export async function findAccess(
  transaction: Queryable,
  userId: number,
  signInMethod: SignInMethodId,
): Promise<{ access: Access; readAt: Date } | null> {
  const [user] = await transaction.query<{
    customer_id: number;
    administrator: boolean;
    workspace_ids: number[];
    read_at: Date;
  }>({
    name: 'find-access',
    text: `SELECT users.customer_id, users.administrator,
                  ARRAY(SELECT workspace_members.workspace_id
                          FROM account.workspace_members
                         WHERE workspace_members.user_id = users.id
                         ORDER BY workspace_members.workspace_id) AS workspace_ids,
                  clock_timestamp()::timestamptz(3) AS read_at
             FROM account.users
             JOIN account.customers ON customers.id = users.customer_id AND customers.active
             JOIN account.customer_domains ON customer_domains.customer_id = users.customer_id
                                          AND customer_domains.domain = split_part(users.email, '@', 2)
            WHERE users.id = $1 AND users.disabled_at IS NULL
              AND (customers.sign_in_methods IS NULL OR $2 = ANY(customers.sign_in_methods))`,
    values: [userId, signInMethod],
  });
  if (!user) return null;
  const { customer_id, administrator, workspace_ids, read_at: readAt } = user;
  if (administrator) return { access: [{ customer_id, workspace_ids: 'all' }], readAt };
  // An entry without workspaces would still give access to the customer's data that belongs to no workspace.
  return { access: workspace_ids.length === 0 ? [] : [{ customer_id, workspace_ids }], readAt };
}
