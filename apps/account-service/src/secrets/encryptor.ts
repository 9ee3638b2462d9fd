import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets at rest with AES-256-GCM. The key is derived from `SIGNING_KEY_SECRET` for one purpose, so a
 * ciphertext of one purpose cannot be decrypted for another.
 */
export class Encryptor {
  private readonly newest: Buffer;
  private readonly keys: readonly Buffer[];

  /** @param secrets the first one encrypts, every one decrypts, so that a secret can change under running replicas */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `gpu-observatory ${purpose}`, 32)),
    );
    const [newest] = this.keys;
    if (!newest) throw new Error('encryption needs at least one secret');
    this.newest = newest;
  }

  /** @returns nonce, authentication tag and ciphertext, concatenated */
  encrypt(plaintext: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.newest, nonce);
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** @throws {Error} when the value was encrypted with another secret, or altered */
  decrypt(encrypted: Buffer): string {
    for (const key of this.keys) {
      const plaintext = decryptWith(key, encrypted);
      if (plaintext !== null) return plaintext;
    }
    throw new Error('a stored secret was encrypted with another SIGNING_KEY_SECRET, or altered');
  }

  canDecrypt(encrypted: Buffer): boolean {
    return this.keys.some((key) => decryptWith(key, encrypted) !== null);
  }

  /** Returns whether the first secret encrypted the value, so that the other secrets are not needed for it. */
  usesFirstSecret(encrypted: Buffer): boolean {
    return decryptWith(this.newest, encrypted) !== null;
  }
}

/** @returns null when the value was encrypted with another key, or altered */
function decryptWith(key: Buffer, encrypted: Buffer): string | null {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const ciphertext = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(
      tag,
    );
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
