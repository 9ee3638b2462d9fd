import type { Queryable } from '@gpu-observatory/service-runtime/process';

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

const AUDIT_ROWS = `SELECT id, occurred_at, action, actor, customer, "user", network, request_id, detail
             FROM account.audit_log`;

interface AuditFilter {
  since?: Date | undefined;
  until?: Date | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  customer?: string | undefined;
}

const BATCH_ROWS = 1_000;

/** Yields the events from `since` on and before `until` in batches, oldest first. */
export async function* readAuditEvents(
  queryable: Queryable,
  { since, until, customer }: { since: Date } & Pick<AuditFilter, 'until' | 'customer'>,
): AsyncGenerator<AuditRow[]> {
  // Event times have ms resolution in the database, like a Date.
  let last: Pick<AuditRow, 'occurred_at' | 'id'> | undefined = { occurred_at: since, id: 0 };
  while (last) {
    const events: AuditRow[] = await queryable.query<AuditRow>({
      text: `${AUDIT_ROWS}
              WHERE (occurred_at, id) > ($1, $2::bigint)
                AND ($3::timestamptz IS NULL OR occurred_at < $3)
                AND ($4::text IS NULL OR customer = $4)
              ORDER BY occurred_at, id
              LIMIT $5`,
      values: [last.occurred_at, last.id, until, customer, BATCH_ROWS],
    });
    if (events.length > 0) yield events;
    last = events[BATCH_ROWS - 1];
  }
}

/** Returns the matching events, newest first. */
export async function listAuditEvents(
  queryable: Queryable,
  { since, action, actor, customer }: Omit<AuditFilter, 'until'>,
  limit: number,
): Promise<AuditRow[]> {
  return queryable.query<AuditRow>({
    text: `${AUDIT_ROWS}
            WHERE ($1::timestamptz IS NULL OR occurred_at >= $1)
              AND ($2::text IS NULL OR action = $2)
              AND ($3::text IS NULL OR actor = $3)
              AND ($4::text IS NULL OR customer = $4)
            ORDER BY occurred_at DESC, id DESC
            LIMIT $5`,
    values: [since, action, actor, customer, limit],
  });
}

/**
 * Grants a database role read access to the audit, or revokes it.
 *
 * @returns false when the role does not exist
 */
export async function setReader(transaction: Queryable, role: string, mayRead: boolean): Promise<boolean> {
  // PostgreSQL takes no parameters in these statements, so it quotes the name of the role first.
  const [found] = await transaction.query<{ name: string }>({
    text: 'SELECT quote_ident(rolname) AS name FROM pg_roles WHERE rolname = $1',
    values: [role],
  });
  if (!found) return false;
  for (const privilege of ['USAGE ON SCHEMA account', 'SELECT ON account.audit_log']) {
    const text = mayRead ? `GRANT ${privilege} TO ${found.name}` : `REVOKE ${privilege} FROM ${found.name}`;
    await transaction.query({ text });
  }
  return true;
}
