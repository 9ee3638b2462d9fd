import type { Queryable } from '@gpu-observatory/service-runtime';

export interface AuditRow {
  id: number;
  occurred_at: Date;
  action: string;
  actor: string;
  /** Slug and email address, when the event concerns a customer or a user. */
  customer: string | null;
  user: string | null;
  network: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

const AUDIT_ROWS = `SELECT audit_events.id, audit_events.occurred_at, audit_events.action, audit_events.actor,
                  customers.slug AS customer, users.email AS user, audit_events.network, audit_events.request_id,
                  audit_events.detail
             FROM account.audit_events
             LEFT JOIN account.customers ON customers.id = audit_events.customer_id
             LEFT JOIN account.users ON users.id = audit_events.user_id`;

/**
 * Returns a batch of events in ascending order, after the given one and before `until`. Event times have ms resolution
 * in the database, like a Date.
 */
export async function readAuditEventsAfter(
  queryable: Queryable,
  filter: {
    after: { occurred_at: Date; id: number };
    until?: Date | undefined;
    customer?: string | undefined;
    limit: number;
  },
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>({
    text: `${AUDIT_ROWS}
            WHERE (audit_events.occurred_at, audit_events.id) > ($1, $2::bigint)
              AND ($3::timestamptz IS NULL OR audit_events.occurred_at < $3)
              AND ($4::text IS NULL OR customers.slug = $4)
            ORDER BY audit_events.occurred_at, audit_events.id
            LIMIT $5`,
    values: [
      filter.after.occurred_at,
      filter.after.id,
      filter.until ?? null,
      filter.customer ?? null,
      filter.limit,
    ],
  });
}

/** Returns the matching events, newest first. */
export async function listAuditEvents(
  queryable: Queryable,
  filter: {
    since?: Date | undefined;
    action?: string | undefined;
    actor?: string | undefined;
    customer?: string | undefined;
    limit: number;
  },
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>({
    text: `${AUDIT_ROWS}
            WHERE ($1::timestamptz IS NULL OR audit_events.occurred_at >= $1)
              AND ($2::text IS NULL OR audit_events.action = $2)
              AND ($3::text IS NULL OR audit_events.actor = $3)
              AND ($4::text IS NULL OR customers.slug = $4)
            ORDER BY audit_events.occurred_at DESC, audit_events.id DESC
            LIMIT $5`,
    values: [
      filter.since ?? null,
      filter.action ?? null,
      filter.actor ?? null,
      filter.customer ?? null,
      filter.limit,
    ],
  });
}
