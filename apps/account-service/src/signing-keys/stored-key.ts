import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ACCESS_TOKEN_ALGORITHM } from '@gpu-observatory/token-verification';
import type { JWK } from 'jose';
import type { Seal } from '../secrets/seal.ts';
import type { SigningKeyRow } from './signing-keys.queries.ts';

/** A key that was read from the database and is ours. */
export interface StoredKey {
  kid: string;
  signFrom: Date;
  privateKey: KeyObject;
  /** What verifiers get. */
  publicJwk: JWK;
}

/**
 * Opens a stored key. The public part that goes out is the sealed private one's, and the row must say the same: whoever
 * can write to the table but does not know `SIGNING_KEY_SECRET` gets no key of theirs published, also not beside a
 * sealed part that they copied from another row.
 *
 * @param opened the private key, where this row was opened before: what it is sealed under may have changed since
 * @throws {Error} when it is not ours
 */
export function openStoredKey(row: SigningKeyRow, seal: Seal, opened?: KeyObject): StoredKey {
  const privateKey = opened ?? createPrivateKey(seal.open(row.sealed_private_key));
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  if (x !== row.public_jwk.x || y !== row.public_jwk.y) {
    throw new Error('the public part of a stored signing key is not that of its private part');
  }
  return {
    kid: row.kid,
    signFrom: row.sign_from,
    privateKey,
    publicJwk: { kty, crv, x, y, kid: row.kid, alg: ACCESS_TOKEN_ALGORITHM, use: 'sig' } as JWK,
  };
}
