import { networkOf, type Queryable } from '@gpu-observatory/service-runtime';
import type { FastifyRequest } from 'fastify';

/** Who did it: a signed-in user, an operator with the operations commands, or somebody not known (yet). */
export type Actor = `user:${number}` | `operator:${string}` | 'anonymous';

export interface AuditEvent {
  action: string;
  actor: Actor;
  /** The user's, unless given. */
  customerId?: number | undefined;
  userId?: number | undefined;
  /** Never a secret: no code, token, key or cookie. */
  detail?: Record<string, unknown>;
}

/** Where a request came from, as the audit keeps it: an IPv4 address or an IPv6 /64, and the request's id. */
export interface Origin {
  network: string;
  requestId: string;
}

export function originOf(request: FastifyRequest): Origin {
  return { network: networkOf(request.ip), requestId: request.id };
}

/** Appends one security event. In a transaction it stands or falls with what it tells of. */
export async function audit(queryable: Queryable, event: AuditEvent, origin?: Origin): Promise<void> {
  await queryable.query({
    name: 'append-audit-event',
    text: `INSERT INTO account.audit_events (action, actor, customer_id, user_id, network, request_id, detail)
           VALUES ($1, $2, coalesce($3::integer, (SELECT customer_id FROM account.users WHERE id = $4)),
                   $4, $5, $6, $7)`,
    values: [
      event.action,
      event.actor,
      event.customerId ?? null,
      event.userId ?? null,
      origin?.network ?? null,
      origin?.requestId ?? null,
      JSON.stringify(event.detail ?? {}),
    ],
  });
}
