import type { Queryable } from '@gpu-observatory/service-runtime';

export interface AuditRow {
  id: number;
  occurred_at: Date;
  action: string;
  actor: string;
  /** Slug and e-mail, where the event concerns a customer or a user. */
  customer: string | null;
  user: string | null;
  network: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

/** Newest first. */
export async function listAuditEvents(
  queryable: Queryable,
  which: {
    since?: Date | undefined;
    action?: string | undefined;
    actor?: string | undefined;
    customer?: string | undefined;
    limit: number;
  },
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>({
    text: `SELECT audit_events.id, audit_events.occurred_at, audit_events.action, audit_events.actor,
                  customers.slug AS customer, users.email AS user, audit_events.network, audit_events.request_id,
                  audit_events.detail
             FROM account.audit_events
             LEFT JOIN account.customers ON customers.id = audit_events.customer_id
             LEFT JOIN account.users ON users.id = audit_events.user_id
            WHERE ($1::timestamptz IS NULL OR audit_events.occurred_at >= $1)
              AND ($2::text IS NULL OR audit_events.action = $2)
              AND ($3::text IS NULL OR audit_events.actor = $3)
              AND ($4::text IS NULL OR customers.slug = $4)
            ORDER BY audit_events.occurred_at DESC, audit_events.id DESC
            LIMIT $5`,
    values: [
      which.since ?? null,
      which.action ?? null,
      which.actor ?? null,
      which.customer ?? null,
      which.limit,
    ],
  });
}
