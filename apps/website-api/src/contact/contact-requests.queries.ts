import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type FindOptionsWhere, IsNull, LessThan, type QueryDeepPartialEntity, Raw } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { StoredContactRequest } from './stored-contact-request.entity.ts';

/**
 * Stores a request; returns false if its idempotency key is already in use. One statement, because two requests with the
 * same key may arrive at the same time.
 */
export async function insertContactRequest(
  queryable: Queryable,
  request: QueryDeepPartialEntity<StoredContactRequest>,
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

/** Returns requests, newest first. */
export async function findRequests(
  queryable: Queryable,
  filter: ContactFilter,
): Promise<StoredContactRequest[]> {
  return repository(queryable, StoredContactRequest).find({
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

function conditions({
  id,
  email,
  before,
  undelivered,
}: ContactFilter): FindOptionsWhere<StoredContactRequest> {
  return {
    ...(id !== undefined && { id }),
    ...(email !== undefined && { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) }),
    ...(before && { received_at: LessThan(before) }),
    ...(undelivered && { delivered_at: IsNull() }),
  };
}
