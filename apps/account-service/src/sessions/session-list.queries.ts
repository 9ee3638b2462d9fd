import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { IS_ACTIVE, Session } from './session.entity.ts';

/** Returns the active sessions of a user, a customer or everyone, for an operator, newest first, without their secrets. */
export async function listSessions(
  queryable: Queryable,
  { email, customer: slug }: { email: string | undefined; customer: string | undefined },
) {
  const sessions = await repository(queryable, Session).find({
    where: {
      ...IS_ACTIVE,
      user: { ...(email !== undefined && { email }), ...(slug !== undefined && { customer: { slug } }) },
    },
    relations: { user: { customer: true } },
    order: { signed_in_at: 'DESC', id: 'ASC' },
  });
  return sessions.map((session) => ({
    id: session.id,
    email: session.user.email,
    customer: session.user.customer.slug,
    method: session.sign_in_method,
    signed_in_at: session.signed_in_at,
    last_refreshed_at: session.last_refreshed_at,
    expires_at: session.expires_at,
    network: session.network,
    user_agent: session.user_agent,
  }));
}
