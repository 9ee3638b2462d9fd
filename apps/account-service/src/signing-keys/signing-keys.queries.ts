import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { IsNull, MoreThan, type QueryDeepPartialEntity } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { SigningKeyRow } from './signing-key.entity.ts';

/** Serializes key creation: a second replica finds the key that the first one created. */
export async function lockSigningKeys(transaction: Queryable): Promise<void> {
  await transaction.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:signing-keys', 0))",
  });
}

/** Returns every key that signed a valid token or will sign one, in descending order of `sign_from`. */
export async function readSigningKeys(queryable: Queryable, now: Date): Promise<SigningKeyRow[]> {
  return repository(queryable, SigningKeyRow).find({
    where: [
      { withdrawn_at: IsNull(), retire_at: IsNull() },
      { withdrawn_at: IsNull(), retire_at: MoreThan(now) },
    ],
    order: { sign_from: 'DESC', kid: 'ASC' },
  });
}

export async function insertSigningKey(
  transaction: Queryable,
  key: Pick<SigningKeyRow, 'kid' | 'public_jwk' | 'encrypted_private_key' | 'published_at' | 'sign_from'>,
): Promise<void> {
  await repository(transaction, SigningKeyRow).insert(key as QueryDeepPartialEntity<SigningKeyRow>);
}

export async function replaceEncryptedKey(
  transaction: Queryable,
  kid: string,
  encrypted: Buffer,
): Promise<void> {
  await repository(transaction, SigningKeyRow).update({ kid }, { encrypted_private_key: encrypted });
}

/** Sets the retirement time of all predecessors of a new key. */
export async function retirePredecessors(
  transaction: Queryable,
  successorKid: string,
  retireAt: Date,
): Promise<void> {
  await transaction.query({
    text: `UPDATE account.signing_keys SET retire_at = $2 WHERE kid <> $1 AND retire_at IS NULL`,
    values: [successorKid, retireAt],
  });
}

/** Sets the retirement time of a key; null while it has no successor. */
export async function retireAt(transaction: Queryable, kid: string, instant: Date | null): Promise<void> {
  await repository(transaction, SigningKeyRow).update({ kid }, { retire_at: instant });
}

/** @returns false when the key does not exist or is already withdrawn */
export async function markWithdrawn(transaction: Queryable, kid: string): Promise<boolean> {
  const withdrawn = await transaction.query({
    text: `UPDATE account.signing_keys SET withdrawn_at = clock_timestamp()
            WHERE kid = $1 AND withdrawn_at IS NULL
           RETURNING kid`,
    values: [kid],
  });
  return withdrawn.length > 0;
}

/** Makes a published key sign before its scheduled time. */
export async function signFromNow(transaction: Queryable, kid: string, now: Date): Promise<void> {
  await repository(transaction, SigningKeyRow).update({ kid }, { sign_from: now });
}
