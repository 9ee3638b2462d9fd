import { createHash, randomUUID } from 'node:crypto';

/** Secret of an API key: a plain UUID, version 4 (`docs/account-service.md#api-keys`). */
export interface KeySecret {
  /** Returned once, at creation and rotation, and never stored. */
  text: string;
  hash: Buffer;
  /** Last four characters, which identify a key to users. */
  ending: string;
}

export function newKeySecret(): KeySecret {
  const text = randomUUID();
  return { text, hash: hashKeySecret(text), ending: text.slice(-4) };
}

/** Hashes a secret for storage. Unsalted SHA-256 suffices for 122 random bits. */
export function hashKeySecret(text: string): Buffer {
  return createHash('sha256').update(text.toLowerCase()).digest();
}

/** Returns a secret in its UUID format, masked except for the last four characters. */
export function maskedSecret(ending: string): string {
  return `********-****-****-****-********${ending}`;
}
