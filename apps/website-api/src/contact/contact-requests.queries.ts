import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** A stored contact request, without its hashes. */
export interface StoredRequest {
  id: string;
  received_at: Date;
  first_name: string;
  email: string;
  company: string;
  message: string;
  sender: string;
  attempts: number;
  delivered_at: Date | null;
  last_error: string | null;
}

/** Conditions combine with AND. An undefined one matches all requests. */
export interface ContactFilter {
  id: string | undefined;
  /** Case-insensitive. */
  email: string | undefined;
  before: Date | undefined;
  undelivered: boolean;
}

const FILTER_SQL = `
       WHERE ($1::uuid IS NULL OR id = $1)
         AND ($2::text IS NULL OR lower(email) = lower($2))
         AND ($3::timestamptz IS NULL OR received_at < $3)
         AND (NOT $4::boolean OR delivered_at IS NULL)`;

const filterValues = ({ id, email, before, undelivered }: ContactFilter) => [id, email, before, undelivered];

export function findRequests(database: Queryable, filter: ContactFilter): Promise<StoredRequest[]> {
  return database.query<StoredRequest>({
    text: `
      SELECT id, received_at, first_name, email, company, message, sender, attempts, delivered_at, last_error
        FROM website.contact_requests ${FILTER_SQL}
       ORDER BY received_at DESC, id`,
    values: filterValues(filter),
  });
}

/** @returns the ids of the deleted requests */
export async function eraseRequests(database: Queryable, filter: ContactFilter): Promise<string[]> {
  const rows = await database.query<{ id: string }>({
    text: `DELETE FROM website.contact_requests ${FILTER_SQL} RETURNING id`,
    values: filterValues(filter),
  });
  return rows.map(({ id }) => id);
}
