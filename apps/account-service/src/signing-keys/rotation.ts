import type { Queryable } from '@gpu-observatory/service-runtime/process';
import {
  ACCESS_TOKEN_ALGORITHM,
  JWKS_REFRESH_SECONDS,
  MAX_CLOCK_SKEW_SECONDS,
} from '@gpu-observatory/token-verification';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, type JWK } from 'jose';
import type { QueryDeepPartialEntity } from 'typeorm';
import { addSeconds } from '../clock/clock.ts';
import { repository } from '../database/repositories.ts';
import { revoke } from '../revocations/revoke.ts';
import type { Encryptor } from '../secrets/encryptor.ts';
import { ACCESS_TOKEN_TTL_SECONDS } from '../tokens/lifetimes.ts';
import {
  lockSigningKeys,
  markWithdrawn,
  readSigningKeys,
  retirePredecessors,
} from './signing-keys.queries.ts';
import { SigningKey } from './signing-key.entity.ts';

/** Time from the publication of a key to its first signature: two refresh intervals of the verifiers. */
export const PUBLICATION_LEAD_SECONDS = 2 * JWKS_REFRESH_SECONDS;
/** Time from the first signature of a successor until every token of a key has expired. */
export const RETIREMENT_DELAY_SECONDS = ACCESS_TOKEN_TTL_SECONDS + MAX_CLOCK_SKEW_SECONDS;

/** Encryption purpose of private keys. */
export const SIGNING_KEY_PURPOSE = 'signing key';

/**
 * Publishes a new key, which signs once every verifier has had time to read it. Its predecessors stay published until
 * all of their tokens have expired. The very first key signs immediately.
 *
 * @param isDue decides, under the lock, from the newest key
 * @returns the id of the new key, or null when none was due
 */
export async function rotateSigningKeys(
  transaction: Queryable,
  encryptor: Encryptor,
  now: Date,
  isDue: (newest: SigningKey | undefined) => boolean,
): Promise<string | null> {
  await lockSigningKeys(transaction);
  const [newest] = await readSigningKeys(transaction, now);
  if (!isDue(newest)) return null;

  return publishSigningKey(
    transaction,
    encryptor,
    now,
    newest === undefined ? now : addSeconds(now, PUBLICATION_LEAD_SECONDS),
  );
}

/**
 * Withdraws a stolen key. It leaves the key set, and the revocation feed invalidates all of its tokens. A replacement
 * key signs from now on.
 *
 * @returns the id of the replacement key, or null when the key does not exist or is already withdrawn
 */
export async function withdrawSigningKey(
  transaction: Queryable,
  encryptor: Encryptor,
  now: Date,
  kid: string,
): Promise<string | null> {
  await lockSigningKeys(transaction);
  if (!(await markWithdrawn(transaction, kid))) return null;
  const replacement = await activateReplacement(transaction, encryptor, now);
  await revoke(transaction, [{ kind: 'signing_key', id: kid }]);
  return replacement;
}

/**
 * Prefers a key that already signs, since every verifier has read it; its successors keep their schedule. Otherwise the
 * next published key signs early, or a new key signs immediately. A verifier that refreshed for an unknown key just
 * before may then reject tokens of that key for up to 30 s.
 */
async function activateReplacement(transaction: Queryable, encryptor: Encryptor, now: Date): Promise<string> {
  const published = await readSigningKeys(transaction, now);
  const remaining = published.filter((key) => encryptor.canDecrypt(key.encrypted_private_key));
  const replacement = remaining.find((key) => key.sign_from <= now) ?? remaining.at(-1);
  if (!replacement) return publishSigningKey(transaction, encryptor, now, now);
  const keys = repository(transaction, SigningKey);
  if (replacement.sign_from > now) await keys.update({ kid: replacement.kid }, { sign_from: now });
  // Recomputes the retirement times: each depends on the successor, which may be the withdrawn key.
  for (const [index, { kid }] of remaining.entries()) {
    const successor = remaining[index - 1];
    const retire_at = successor ? addSeconds(successor.sign_from, RETIREMENT_DELAY_SECONDS) : null;
    await keys.update({ kid }, { retire_at });
  }
  return replacement.kid;
}

async function publishSigningKey(
  transaction: Queryable,
  encryptor: Encryptor,
  now: Date,
  signFrom: Date,
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ACCESS_TOKEN_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  // One thumbprint in 64 starts with a hyphen, which a command line parses as an option.
  if (kid.startsWith('-')) return publishSigningKey(transaction, encryptor, now, signFrom);
  await repository(transaction, SigningKey).insert({
    kid,
    public_jwk: { ...jwk, kid, alg: ACCESS_TOKEN_ALGORITHM, use: 'sig' } as QueryDeepPartialEntity<JWK>,
    encrypted_private_key: encryptor.encrypt(await exportPKCS8(privateKey)),
    published_at: now,
    sign_from: signFrom,
  });
  await retirePredecessors(transaction, kid, addSeconds(signFrom, RETIREMENT_DELAY_SECONDS));
  return kid;
}
