import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { JWK } from 'jose';

export interface SigningKeyRow {
  kid: string;
  public_jwk: JWK;
  encrypted_private_key: Buffer;
  published_at: Date;
  sign_from: Date;
  retire_at: Date | null;
  withdrawn_at: Date | null;
}

/** Serializes key creation: a second replica finds the key that the first one created. */
export async function lockSigningKeys(transaction: Queryable): Promise<void> {
  await transaction.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:signing-keys', 0))",
  });
}

/** Returns every key that signed a valid token or will sign one, in descending order of `sign_from`. */
export async function readSigningKeys(queryable: Queryable, now: Date): Promise<SigningKeyRow[]> {
  return queryable.query<SigningKeyRow>({
    name: 'read-signing-keys',
    text: `SELECT kid, public_jwk, encrypted_private_key, published_at, sign_from, retire_at, withdrawn_at
             FROM account.signing_keys
            WHERE withdrawn_at IS NULL AND (retire_at IS NULL OR retire_at > $1)
            ORDER BY sign_from DESC, kid`,
    values: [now],
  });
}

export async function insertSigningKey(
  transaction: Queryable,
  key: Pick<SigningKeyRow, 'kid' | 'public_jwk' | 'encrypted_private_key' | 'published_at' | 'sign_from'>,
): Promise<void> {
  await transaction.query({
    text: `INSERT INTO account.signing_keys (kid, public_jwk, encrypted_private_key, published_at, sign_from)
           VALUES ($1, $2, $3, $4, $5)`,
    values: [
      key.kid,
      JSON.stringify(key.public_jwk),
      key.encrypted_private_key,
      key.published_at,
      key.sign_from,
    ],
  });
}

export async function replaceEncryptedKey(
  transaction: Queryable,
  kid: string,
  encrypted: Buffer,
): Promise<void> {
  await transaction.query({
    text: 'UPDATE account.signing_keys SET encrypted_private_key = $2 WHERE kid = $1',
    values: [kid, encrypted],
  });
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
  await transaction.query({
    text: 'UPDATE account.signing_keys SET retire_at = $2 WHERE kid = $1',
    values: [kid, instant],
  });
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
  await transaction.query({
    text: `UPDATE account.signing_keys SET sign_from = $2 WHERE kid = $1`,
    values: [kid, now],
  });
}
