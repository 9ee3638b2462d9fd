import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** An active session of an operator's list, without its secrets. */
export interface UserSession {
  id: string;
  method: string;
  user_agent: string;
  network: string;
  signed_in_at: Date;
  last_refreshed_at: Date | null;
  expires_at: Date;
  email: string;
  customer: string;
}

/** Returns the active sessions of a user, a customer or everyone, for an operator, newest first. */
export async function listSessions(
  queryable: Queryable,
  { email, customer }: { email: string | undefined; customer: string | undefined },
): Promise<UserSession[]> {
  return queryable.query<UserSession>({
    text: `SELECT sessions.id, sessions.provider AS method, sessions.user_agent, sessions.network, sessions.signed_in_at,
                  sessions.last_refreshed_at, sessions.expires_at, users.email, customers.slug AS customer
             FROM account.sessions
             JOIN account.users ON users.id = sessions.user_id
             JOIN account.customers ON customers.id = users.customer_id
            WHERE sessions.ended_at IS NULL AND sessions.expires_at > clock_timestamp()
              AND ($1::text IS NULL OR users.email = $1) AND ($2::text IS NULL OR customers.slug = $2)
            ORDER BY sessions.signed_in_at DESC, sessions.id`,
    values: [email, customer],
  });
}
