import type { Queryable } from '@gpu-observatory/service-runtime';
import type { JWK } from 'jose';

export interface SigningKeyRow {
  kid: string;
  public_jwk: JWK;
  sealed_private_key: Buffer;
  published_at: Date;
  sign_from: Date;
  retire_at: Date | null;
  withdrawn_at: Date | null;
}

/** One replica at a time makes keys: the second finds what the first made. */
export async function lockSigningKeys(transaction: Queryable): Promise<void> {
  await transaction.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:signing-keys', 0))",
  });
}

/** Every key that may have signed a living token or will sign one, the one that signs last first. */
export async function readSigningKeys(queryable: Queryable, now: Date): Promise<SigningKeyRow[]> {
  return queryable.query<SigningKeyRow>({
    name: 'read-signing-keys',
    text: `SELECT kid, public_jwk, sealed_private_key, published_at, sign_from, retire_at, withdrawn_at
             FROM account.signing_keys
            WHERE withdrawn_at IS NULL AND (retire_at IS NULL OR retire_at > $1)
            ORDER BY sign_from DESC, kid`,
    values: [now],
  });
}

export async function insertSigningKey(
  transaction: Queryable,
  key: Pick<SigningKeyRow, 'kid' | 'public_jwk' | 'sealed_private_key' | 'published_at' | 'sign_from'>,
): Promise<void> {
  await transaction.query({
    text: `INSERT INTO account.signing_keys (kid, public_jwk, sealed_private_key, published_at, sign_from)
           VALUES ($1, $2, $3, $4, $5)`,
    values: [
      key.kid,
      JSON.stringify(key.public_jwk),
      key.sealed_private_key,
      key.published_at,
      key.sign_from,
    ],
  });
}

/** The same key, sealed under another secret. */
export async function replaceSealedKey(transaction: Queryable, kid: string, sealed: Buffer): Promise<void> {
  await transaction.query({
    text: 'UPDATE account.signing_keys SET sealed_private_key = $2 WHERE kid = $1',
    values: [kid, sealed],
  });
}

/** Sets when the predecessors of a new key leave the key set. */
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

/** Sets when a key leaves the key set; null while it has no successor. */
export async function retireAt(transaction: Queryable, kid: string, instant: Date | null): Promise<void> {
  await transaction.query({
    text: 'UPDATE account.signing_keys SET retire_at = $2 WHERE kid = $1',
    values: [kid, instant],
  });
}

/** @returns false when there is no such key, or it was withdrawn before */
export async function markWithdrawn(transaction: Queryable, kid: string): Promise<boolean> {
  const withdrawn = await transaction.query({
    text: `UPDATE account.signing_keys SET withdrawn_at = clock_timestamp()
            WHERE kid = $1 AND withdrawn_at IS NULL
           RETURNING kid`,
    values: [kid],
  });
  return withdrawn.length > 0;
}

/** Lets a key that was published ahead sign before its time. */
export async function signFromNow(transaction: Queryable, kid: string, now: Date): Promise<void> {
  await transaction.query({
    text: `UPDATE account.signing_keys SET sign_from = $2 WHERE kid = $1`,
    values: [kid, now],
  });
}
