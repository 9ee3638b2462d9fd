import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { Seal } from '../secrets/seal.ts';
import { lockSigningKeys, readSigningKeys, replaceSealedKey } from './signing-keys.queries.ts';

/**
 * Seals every key that can still sign or verify under the newest secret, so that the former one may go. Replicas that run
 * have the keys open already, and do not notice. A retired or withdrawn key is of no use, and stays as it is.
 *
 * @returns the keys that were sealed anew, and those that were so already
 * @throws {OperationError} when no secret opens one of them; then none is changed
 */
export async function reEncryptSigningKeys(
  transaction: Queryable,
  seal: Seal,
  now: Date,
): Promise<{ sealedAnew: string[]; unchanged: string[] }> {
  await lockSigningKeys(transaction);
  const keys = await readSigningKeys(transaction, now);
  const outdated = keys.filter((key) => !seal.isNewest(key.sealed_private_key));
  for (const { kid, sealed_private_key: sealed } of outdated) {
    if (!seal.opens(sealed)) {
      throw new OperationError(
        `no secret in SIGNING_KEY_SECRET opens the key ${kid}: give the new one, a comma, and the one it was sealed under`,
      );
    }
    await replaceSealedKey(transaction, kid, seal.close(seal.open(sealed)));
  }
  return {
    sealedAnew: outdated.map(({ kid }) => kid),
    unchanged: keys.filter((key) => !outdated.includes(key)).map(({ kid }) => kid),
  };
}
