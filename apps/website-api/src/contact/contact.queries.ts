import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { Sender } from './contact-access.ts';

export interface NewContactRequest {
  id: string;
  firstName: string;
  email: string;
  company: string;
  message: string;
  sender: Sender;
  idempotencyKeyHash: Buffer | null;
  bodyHash: Buffer;
}

/** Stores a request; returns false if its idempotency key is already in use. */
export async function insertContactRequest(
  database: Queryable,
  request: NewContactRequest,
): Promise<boolean> {
  const rows = await database.query({
    name: 'insert-contact-request',
    text: `
      INSERT INTO website.contact_requests
        (id, first_name, email, company, message, sender, idempotency_key_hash, body_hash)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (idempotency_key_hash) DO NOTHING
      RETURNING id`,
    values: [
      request.id,
      request.firstName,
      request.email,
      request.company,
      request.message,
      request.sender,
      request.idempotencyKeyHash,
      request.bodyHash,
    ],
  });
  return rows.length > 0;
}

/** Frees an idempotency key 24 h after its request, so that it can be used again. */
export async function releaseExpiredIdempotencyKey(
  database: Queryable,
  idempotencyKeyHash: Buffer,
): Promise<void> {
  await database.query({
    name: 'release-expired-idempotency-key',
    text: `
      UPDATE website.contact_requests SET idempotency_key_hash = NULL
       WHERE idempotency_key_hash = $1 AND received_at < now() - interval '24 hours'`,
    values: [idempotencyKeyHash],
  });
}

export async function findByIdempotencyKey(
  database: Queryable,
  idempotencyKeyHash: Buffer,
): Promise<{ id: string; body_hash: Buffer } | undefined> {
  const [row] = await database.query<{ id: string; body_hash: Buffer }>({
    name: 'contact-request-by-idempotency-key',
    text: 'SELECT id, body_hash FROM website.contact_requests WHERE idempotency_key_hash = $1',
    values: [idempotencyKeyHash],
  });
  return row;
}
