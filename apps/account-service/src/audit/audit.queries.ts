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

/** What an operator is shown of an event, with the names of whom it concerns. */
const AUDIT_ROWS = `SELECT audit_events.id, audit_events.occurred_at, audit_events.action, audit_events.actor,
                  customers.slug AS customer, users.email AS user, audit_events.network, audit_events.request_id,
                  audit_events.detail
             FROM account.audit_events
             LEFT JOIN account.customers ON customers.id = audit_events.customer_id
             LEFT JOIN account.users ON users.id = audit_events.user_id`;

/**
 * Oldest first, so many at a time: the events that come after one (or from an instant on), until another instant where
 * one is given. The time of an event is the database's, to the millisecond that a Date keeps.
 */
export async function readAuditEventsAfter(
  queryable: Queryable,
  which: {
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
      which.after.occurred_at,
      which.after.id,
      which.until ?? null,
      which.customer ?? null,
      which.limit,
    ],
  });
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
    text: `${AUDIT_ROWS}
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
