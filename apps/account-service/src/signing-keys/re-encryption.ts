import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import type { Encryptor } from '../secrets/encryptor.ts';
import { SigningKey } from './signing-key.entity.ts';
import { lockSigningKeys, readSigningKeys } from './signing-keys.queries.ts';

/**
 * Encrypts every active signing key with the first secret, so that the other secret can be removed. Running replicas
 * hold the decrypted keys and are not affected. Retired and withdrawn keys are left unchanged.
 *
 * @throws {OperationError} when no secret decrypts one of the keys; then none is changed
 */
export async function reEncryptSigningKeys(
  transaction: Queryable,
  encryptor: Encryptor,
  now: Date,
): Promise<{ reEncrypted: string[]; unchanged: string[] }> {
  await lockSigningKeys(transaction);
  const keys = await readSigningKeys(transaction, now);
  const outdated = keys.filter((key) => !encryptor.usesFirstSecret(key.encrypted_private_key));
  for (const { kid, encrypted_private_key: encrypted } of outdated) {
    if (!encryptor.canDecrypt(encrypted)) {
      throw new OperationError(
        `no secret in SIGNING_KEY_SECRET decrypts the key ${kid}: set it to the new secret, a comma, and the secret ` +
          'that encrypted the key',
      );
    }
    const encrypted_private_key = encryptor.encrypt(encryptor.decrypt(encrypted));
    await repository(transaction, SigningKey).update({ kid }, { encrypted_private_key });
  }
  return {
    reEncrypted: outdated.map(({ kid }) => kid),
    unchanged: keys.filter((key) => !outdated.includes(key)).map(({ kid }) => kid),
  };
}
