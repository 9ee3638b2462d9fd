import { networkOf, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';

/** Signed-in user, program with an API key, operator of the CLI, or unauthenticated caller (and the service itself). */
export type Actor = `user:${number}` | `key:${number}` | `operator:${string}` | 'anonymous';

export type AuditEvent = {
  action: string;
  /** Defaults to the customer of `userId`. */
  customerId?: number | undefined;
  /** Must not contain a code, token, key or cookie. */
  detail?: Record<string, unknown>;
  // Without an actor, it is the user.
} & ({ actor: Actor; userId?: number | undefined } | { actor?: undefined; userId: number });

/** Origin of a request in the audit log: IPv4 address or IPv6 /64, and request id. */
export interface Origin {
  network: string;
  requestId: string;
}

export function originOf(request: FastifyRequest): Origin {
  return { network: networkOf(request.ip), requestId: request.id };
}

/** Appends a security event. Pass the transaction of the change, so that both commit or neither does. */
export async function audit(queryable: Queryable, event: AuditEvent, origin?: Origin): Promise<void> {
  await queryable.query({
    name: 'append-audit-event',
    text: `INSERT INTO account.audit_events (action, actor, customer_id, user_id, network, request_id, detail)
           VALUES ($1, $2, coalesce($3::integer, (SELECT customer_id FROM account.users WHERE id = $4)),
                   $4, $5, $6, $7)`,
    values: [
      event.action,
      event.actor ?? `user:${event.userId}`,
      event.customerId,
      event.userId,
      origin?.network,
      origin?.requestId,
      JSON.stringify(event.detail ?? {}),
    ],
  });
}
