import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes in base64url, 43 characters. */
const OPAQUE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new authorization code, refresh token, state or browser secret. Only its hash is stored. */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether the value has the format of a token. Anything else needs no database lookup. */
export function isOpaqueToken(text: unknown): text is string {
  return typeof text === 'string' && OPAQUE_TOKEN.test(text);
}

/** Hashes a token for storage. Unsalted SHA-256 suffices for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
