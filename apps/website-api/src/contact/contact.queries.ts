import type { Queryable } from '@gpu-observatory/service-runtime';

export interface NewContactRequest {
  id: string;
  firstName: string;
  email: string;
  company: string;
  message: string;
  /** `origin https://…` or `key 12`. */
  cameBy: string;
  idempotencyHash: Buffer | null;
  bodyHash: Buffer;
}

/** Whether it was stored; not so when one with the same idempotency key is there. */
export async function insertContactRequest(
  database: Queryable,
  request: NewContactRequest,
): Promise<boolean> {
  const rows = await database.query({
    name: 'insert-contact-request',
    text: `
      INSERT INTO website.contact_requests
        (id, first_name, email, company, message, came_by, idempotency_hash, body_hash)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (idempotency_hash) DO NOTHING
      RETURNING id`,
    values: [
      request.id,
      request.firstName,
      request.email,
      request.company,
      request.message,
      request.cameBy,
      request.idempotencyHash,
      request.bodyHash,
    ],
  });
  return rows.length > 0;
}

/** An idempotency key means its first request for a day; after that it means a new one. */
export async function forgetOldIdempotencyKey(database: Queryable, idempotencyHash: Buffer): Promise<void> {
  await database.query({
    name: 'forget-old-idempotency-key',
    text: `
      UPDATE website.contact_requests SET idempotency_hash = NULL
       WHERE idempotency_hash = $1 AND received_at < now() - interval '24 hours'`,
    values: [idempotencyHash],
  });
}

export async function findByIdempotencyKey(
  database: Queryable,
  idempotencyHash: Buffer,
): Promise<{ id: string; body_hash: Buffer } | undefined> {
  const [row] = await database.query<{ id: string; body_hash: Buffer }>({
    name: 'contact-request-by-idempotency-key',
    text: 'SELECT id, body_hash FROM website.contact_requests WHERE idempotency_hash = $1',
    values: [idempotencyHash],
  });
  return row;
}
