import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type FindOptionsWhere, IsNull, LessThan, Raw } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { StoredContactRequest } from './contact-request.entity.ts';

export type NewContactRequest = Pick<
  StoredContactRequest,
  'id' | 'first_name' | 'email' | 'company' | 'message' | 'sender' | 'idempotency_key_hash' | 'body_hash'
>;

/**
 * Stores a request; returns false if its idempotency key is already in use. One statement, because two requests with the
 * same key may arrive at the same time.
 */
export async function insertContactRequest(
  queryable: Queryable,
  request: NewContactRequest,
): Promise<boolean> {
  const { raw } = await repository(queryable, StoredContactRequest)
    .createQueryBuilder()
    .insert()
    .values(request)
    .updateEntity(false)
    .orIgnore()
    .returning('id')
    .execute();
  return (raw as unknown[]).length > 0;
}

/** Frees an idempotency key 24 h after its request, so that it can be used again. */
export async function releaseExpiredIdempotencyKey(queryable: Queryable, keyHash: Buffer): Promise<void> {
  await repository(queryable, StoredContactRequest).update(
    {
      idempotency_key_hash: keyHash,
      received_at: Raw((receivedAt) => `${receivedAt} < now() - interval '24 hours'`),
    },
    { idempotency_key_hash: null },
  );
}

export async function findByIdempotencyKey(
  queryable: Queryable,
  keyHash: Buffer,
): Promise<StoredContactRequest | null> {
  return repository(queryable, StoredContactRequest).findOneBy({ idempotency_key_hash: keyHash });
}

/** Conditions combine with AND. An undefined one matches all requests. */
export interface ContactFilter {
  id: string | undefined;
  /** Case-insensitive. */
  email: string | undefined;
  before: Date | undefined;
  undelivered: boolean;
}

/** A stored contact request, without its hashes. */
export type ListedContactRequest = Omit<
  StoredContactRequest,
  'idempotency_key_hash' | 'body_hash' | 'next_attempt_at'
>;

/** Returns requests, newest first. */
export async function findRequests(
  queryable: Queryable,
  filter: ContactFilter,
): Promise<ListedContactRequest[]> {
  return repository(queryable, StoredContactRequest).find({
    select: {
      id: true,
      received_at: true,
      first_name: true,
      email: true,
      company: true,
      message: true,
      sender: true,
      attempts: true,
      delivered_at: true,
      last_error: true,
    },
    where: conditions(filter),
    order: { received_at: 'DESC', id: 'ASC' },
  });
}

/** @returns the ids of the deleted requests */
export async function eraseRequests(queryable: Queryable, filter: ContactFilter): Promise<string[]> {
  const { raw } = await repository(queryable, StoredContactRequest)
    .createQueryBuilder()
    .delete()
    .where(conditions(filter))
    .returning('id')
    .execute();
  return (raw as { id: string }[]).map(({ id }) => id);
}

const conditions = ({
  id,
  email,
  before,
  undelivered,
}: ContactFilter): FindOptionsWhere<StoredContactRequest> => ({
  ...(id !== undefined && { id }),
  ...(email !== undefined && {
    email: Raw((column) => `lower(${column}) = lower(:email)`, { email }),
  }),
  ...(before && { received_at: LessThan(before) }),
  ...(undelivered && { delivered_at: IsNull() }),
});
