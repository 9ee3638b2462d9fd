import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { StoredContactRequest } from './stored-contact-request.entity.ts';

/** An undelivered contact request. */
export type QueuedRequest = Pick<
  StoredContactRequest,
  'id' | 'received_at' | 'first_name' | 'email' | 'company' | 'message' | 'sender'
>;

/**
 * Leases the next due request. One statement that skips leased rows, so that only one replica sends a mail. If the process
 * dies, the request is due again when the lease expires.
 */
export async function leaseNextRequest(
  queryable: Queryable,
  leaseSeconds: number,
): Promise<QueuedRequest | undefined> {
  const [row] = await queryable.query<QueuedRequest>({
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

export async function markDelivered(queryable: Queryable, id: string): Promise<void> {
  await repository(queryable, StoredContactRequest).update(
    { id },
    { delivered_at: () => 'now()', last_error: null },
  );
}

/** Schedules the next attempt with exponential backoff: 10 s, 20 s, 40 s, up to 1 h. Attempts never stop. */
export async function recordFailure(queryable: Queryable, id: string, error: string): Promise<void> {
  await repository(queryable, StoredContactRequest).update(
    { id },
    {
      last_error: error,
      next_attempt_at: () =>
        "now() + least(interval '1 hour', interval '5 seconds' * 2 ^ least(attempts, 20))",
    },
  );
}
