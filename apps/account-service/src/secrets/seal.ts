import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must be read again but never lie in the database in the clear: AES-256-GCM under a key derived from
 * `SIGNING_KEY_SECRET` for one purpose, so that what is sealed for one can never be opened as another.
 */
export class Seal {
  private readonly newest: Buffer;
  private readonly keys: readonly Buffer[];

  /** @param secrets the first one closes and each one opens, so that a secret can change under running replicas */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `gpu-observatory ${purpose}`, 32)),
    );
    const [newest] = this.keys;
    if (!newest) throw new Error('nothing can be sealed without a secret');
    this.newest = newest;
  }

  /** @returns nonce, tag and ciphertext in a row */
  close(plain: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.newest, nonce);
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error when it was sealed under another secret, or altered */
  open(sealed: Buffer): string {
    const plain = this.tryToOpen(sealed);
    if (plain !== null) return plain;
    throw new Error('what is stored was sealed under another SIGNING_KEY_SECRET, or altered');
  }

  /** Whether any of the secrets sealed it. */
  opens(sealed: Buffer): boolean {
    return this.tryToOpen(sealed) !== null;
  }

  /** Whether the first secret sealed it, so that the others may go. */
  isNewest(sealed: Buffer): boolean {
    return openWith(this.newest, sealed) !== null;
  }

  private tryToOpen(sealed: Buffer): string | null {
    for (const key of this.keys) {
      const plain = openWith(key, sealed);
      if (plain !== null) return plain;
    }
    return null;
  }
}

/** @returns null when it was sealed under another key, or altered */
function openWith(key: Buffer, sealed: Buffer): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAuthTag(
      tag,
    );
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
