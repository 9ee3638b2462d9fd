import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { IsNull, MoreThan, Not } from 'typeorm';
import { repository } from '../database/repositories.ts';
import { SigningKey } from './signing-key.entity.ts';

/** Serializes key creation: a second replica finds the key that the first one created. */
export async function lockSigningKeys(transaction: Queryable): Promise<void> {
  await transaction.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:signing-keys', 0))",
  });
}

/** Returns every key that signed a valid token or will sign one, in descending order of `sign_from`. */
export async function readSigningKeys(queryable: Queryable, now: Date): Promise<SigningKey[]> {
  return repository(queryable, SigningKey).find({
    where: [
      { withdrawn_at: IsNull(), retire_at: IsNull() },
      { withdrawn_at: IsNull(), retire_at: MoreThan(now) },
    ],
    order: { sign_from: 'DESC', kid: 'ASC' },
  });
}

/** Sets the retirement time of all predecessors of a new key. */
export async function retirePredecessors(
  transaction: Queryable,
  successorKid: string,
  retireAt: Date,
): Promise<void> {
  const predecessors = { kid: Not(successorKid), retire_at: IsNull() };
  await repository(transaction, SigningKey).update(predecessors, { retire_at: retireAt });
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
