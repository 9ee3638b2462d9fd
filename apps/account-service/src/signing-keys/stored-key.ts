import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { ACCESS_TOKEN_ALGORITHM } from '@gpu-observatory/token-verification';
import type { JWK } from 'jose';
import type { Encryptor } from '../secrets/encryptor.ts';
import type { SigningKey } from './signing-key.entity.ts';

/** Decrypted and verified signing key from the database. */
export interface StoredKey {
  kid: string;
  signFrom: Date;
  privateKey: KeyObject;
  /** Public part, as published. */
  publicJwk: JWK;
}

/**
 * Decrypts a stored key. The published part is derived from the private one and must match the stored public part. An
 * attacker who can write to the table without knowing `SIGNING_KEY_SECRET` can therefore publish no key, not even with
 * an encrypted part copied from another row.
 *
 * @param decrypted private key from an earlier read of this row, which may since be encrypted with another secret
 * @throws {Error} when the key is forged or cannot be decrypted
 */
export function decryptStoredKey(row: SigningKey, encryptor: Encryptor, decrypted?: KeyObject): StoredKey {
  const privateKey = decrypted ?? createPrivateKey(encryptor.decrypt(row.encrypted_private_key));
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  if (x !== row.public_jwk.x || y !== row.public_jwk.y) {
    throw new Error('the public part of a stored signing key does not match its private part');
  }
  return {
    kid: row.kid,
    signFrom: row.sign_from,
    privateKey,
    publicJwk: { kty, crv, x, y, kid: row.kid, alg: ACCESS_TOKEN_ALGORITHM, use: 'sig' } as JWK,
  };
}
