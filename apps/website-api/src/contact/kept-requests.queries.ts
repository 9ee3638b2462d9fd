import type { Queryable } from '@gpu-observatory/service-runtime';

/** Everything that is kept of a contact request. */
export interface KeptRequest {
  id: string;
  received_at: Date;
  first_name: string;
  email: string;
  company: string;
  message: string;
  came_by: string;
  attempts: number;
  delivered_at: Date | null;
  last_failure: string | null;
}

/** Which requests an operator means; what is left out does not narrow. */
export interface ContactFilter {
  id: string | undefined;
  /** Compared without case. */
  email: string | undefined;
  before: Date | undefined;
  undelivered: boolean;
}

const CHOSEN = `
       WHERE ($1::uuid IS NULL OR id = $1)
         AND ($2::text IS NULL OR lower(email) = lower($2))
         AND ($3::timestamptz IS NULL OR received_at < $3)
         AND (NOT $4::boolean OR delivered_at IS NULL)`;

const valuesOf = ({ id, email, before, undelivered }: ContactFilter) => [id, email, before, undelivered];

export function findRequests(database: Queryable, filter: ContactFilter): Promise<KeptRequest[]> {
  return database.query<KeptRequest>({
    text: `
      SELECT id, received_at, first_name, email, company, message, came_by, attempts, delivered_at, last_failure
        FROM website.contact_requests ${CHOSEN}
       ORDER BY received_at DESC, id`,
    values: valuesOf(filter),
  });
}

/** @returns the ids of the requests that are gone now */
export async function eraseRequests(database: Queryable, filter: ContactFilter): Promise<string[]> {
  const rows = await database.query<{ id: string }>({
    text: `DELETE FROM website.contact_requests ${CHOSEN} RETURNING id`,
    values: valuesOf(filter),
  });
  return rows.map(({ id }) => id);
}
