import type { Queryable } from '@gpu-observatory/service-runtime';

/** A request whose mail is to be sent. */
export interface QueuedRequest {
  id: string;
  received_at: Date;
  first_name: string;
  email: string;
  company: string;
  message: string;
  came_by: string;
}

/**
 * Takes the next request that is due and keeps others from it for a while; of several replicas, one gets it. Should
 * the process die meanwhile, it is due again after that.
 */
export async function takeNextRequest(
  database: Queryable,
  leaseSeconds: number,
): Promise<QueuedRequest | undefined> {
  const [row] = await database.query<QueuedRequest>({
    name: 'take-next-contact-request',
    text: `
      UPDATE website.contact_requests
         SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $1)
       WHERE id = (SELECT id FROM website.contact_requests
                    WHERE delivered_at IS NULL AND next_attempt_at <= now()
                    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, received_at, first_name, email, company, message, came_by`,
    values: [leaseSeconds],
  });
  return row;
}

export async function noteDelivery(database: Queryable, id: string): Promise<void> {
  await database.query({
    name: 'note-contact-delivery',
    text: 'UPDATE website.contact_requests SET delivered_at = now(), last_failure = NULL WHERE id = $1',
    values: [id],
  });
}

/** Later each time: 10 s, 20 s, 40 s, up to an hour. It is never given up: a request is not to be lost. */
export async function noteFailure(database: Queryable, id: string, failure: string): Promise<void> {
  await database.query({
    name: 'note-contact-failure',
    text: `
      UPDATE website.contact_requests
         SET last_failure = $2,
             next_attempt_at = now() + least(interval '1 hour', interval '5 seconds' * 2 ^ least(attempts, 20))
       WHERE id = $1`,
    values: [id, failure],
  });
}
