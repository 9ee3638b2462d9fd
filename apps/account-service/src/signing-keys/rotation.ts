import type { Queryable } from '@gpu-observatory/service-runtime';
import { ACCESS_TOKEN_ALGORITHM, JWKS_REFRESH_SECONDS } from '@gpu-observatory/token-verification';
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { after } from '../clock/clock.ts';
import { revoke } from '../revocations/revocations.queries.ts';
import type { Seal } from '../secrets/seal.ts';
import {
  insertSigningKey,
  lockSigningKeys,
  markWithdrawn,
  readSigningKeys,
  retireAt,
  retirePredecessors,
  signFromNow,
  type SigningKeyRow,
} from './signing-keys.queries.ts';

/** A key is published two refresh intervals of the verifiers before it signs (decisions, section 3, Signing). */
const PUBLISHED_AHEAD_SECONDS = 2 * JWKS_REFRESH_SECONDS;
/** After its successor signs: the longest life of an access token, and some minutes for clocks that differ. */
const OVERLAP_SECONDS = 6 * 3600 + 600;

/** What sealed private keys are sealed for. */
export const SIGNING_KEY_PURPOSE = 'signing key';

/**
 * Publishes a new key, which signs once every verifier has had time to read it; its predecessors stay published until
 * no token of theirs can live. Without any key yet the new one signs at once: nobody waits for its tokens.
 *
 * @param isDue asked under the lock, of the newest key; when it says no, nothing happens
 * @returns the new key's id, or null when none was due
 */
export async function rotateSigningKeys(
  transaction: Queryable,
  seal: Seal,
  now: Date,
  isDue: (newest: SigningKeyRow | undefined) => boolean,
): Promise<string | null> {
  await lockSigningKeys(transaction);
  const [newest] = await readSigningKeys(transaction, now);
  if (!isDue(newest)) return null;

  return publishSigningKey(
    transaction,
    seal,
    now,
    newest === undefined ? now : after(now, PUBLISHED_AHEAD_SECONDS),
  );
}

/**
 * Withdraws a stolen key: nothing that it signed counts any more, wherever the revocation feed is followed, and it leaves
 * the key set. Another signs from now on.
 *
 * @returns the key that signs now, or null when there is no such key, or it was withdrawn before
 */
export async function withdrawSigningKey(
  transaction: Queryable,
  seal: Seal,
  now: Date,
  kid: string,
): Promise<string | null> {
  await lockSigningKeys(transaction);
  if (!(await markWithdrawn(transaction, kid))) return null;
  const heir = await appointHeir(transaction, seal, now);
  await revoke(transaction, 'signing_key', [kid]);
  return heir;
}

/**
 * A key that every verifier knows goes on to sign where there is one, its successors as planned. Else the next one signs
 * before its time, or a new one at once: a verifier that asked for unknown keys just now may refuse the first tokens of
 * these for half a minute.
 */
async function appointHeir(transaction: Queryable, seal: Seal, now: Date): Promise<string> {
  const published = await readSigningKeys(transaction, now);
  const remaining = published.filter((key) => seal.opens(key.sealed_private_key));
  const heir = remaining.find((key) => key.sign_from <= now) ?? remaining.at(-1);
  if (!heir) return publishSigningKey(transaction, seal, now, now);
  if (heir.sign_from > now) await signFromNow(transaction, heir.kid, now);
  // Each was to retire after a successor that may be the one that was withdrawn.
  for (const [index, { kid }] of remaining.entries()) {
    const successor = remaining[index - 1];
    await retireAt(transaction, kid, successor ? after(successor.sign_from, OVERLAP_SECONDS) : null);
  }
  return heir.kid;
}

async function publishSigningKey(
  transaction: Queryable,
  seal: Seal,
  now: Date,
  signFrom: Date,
): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ACCESS_TOKEN_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  // A command line would take it for an option; one thumbprint in 64 begins so.
  if (kid.startsWith('-')) return publishSigningKey(transaction, seal, now, signFrom);
  await insertSigningKey(transaction, {
    kid,
    public_jwk: { ...jwk, kid, alg: ACCESS_TOKEN_ALGORITHM, use: 'sig' },
    sealed_private_key: seal.close(await exportPKCS8(privateKey)),
    published_at: now,
    sign_from: signFrom,
  });
  await retirePredecessors(transaction, kid, after(signFrom, OVERLAP_SECONDS));
  return kid;
}
