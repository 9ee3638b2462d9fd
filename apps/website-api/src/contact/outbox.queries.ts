import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** An undelivered contact request. */
export interface QueuedRequest {
  id: string;
  received_at: Date;
  first_name: string;
  email: string;
  company: string;
  message: string;
  sender: string;
}

/**
 * Leases the next due request, so that only one replica sends it. If the process dies, the request is due again when
 * the lease expires.
 */
export async function leaseNextRequest(
  database: Queryable,
  leaseSeconds: number,
): Promise<QueuedRequest | undefined> {
  const [row] = await database.query<QueuedRequest>({
    name: 'lease-next-contact-request',
    text: `
      UPDATE website.contact_requests
         SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
       WHERE id = (SELECT id FROM website.contact_requests
                    WHERE delivered_at IS NULL AND next_attempt_at <= now()
                    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, received_at, first_name, email, company, message, sender`,
    values: [leaseSeconds],
  });
  return row;
}

export async function markDelivered(database: Queryable, id: string): Promise<void> {
  await database.query({
    name: 'mark-contact-request-delivered',
    text: 'UPDATE website.contact_requests SET delivered_at = now(), last_error = NULL WHERE id = $1',
    values: [id],
  });
}

/** Schedules the next attempt with exponential backoff: 10 s, 20 s, 40 s, up to 1 h. Attempts never stop. */
export async function recordFailure(database: Queryable, id: string, error: string): Promise<void> {
  await database.query({
    name: 'record-contact-delivery-failure',
    text: `
      UPDATE website.contact_requests
         SET last_error = $2,
             next_attempt_at = now() + least(interval '1 hour', interval '5 seconds' * 2 ^ least(attempts, 20))
       WHERE id = $1`,
    values: [id, error],
  });
}
