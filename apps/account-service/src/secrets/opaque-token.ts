import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url: 43 characters that say nothing. */
const OPAQUE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new code, refresh token, state or browser secret. Only its hash is ever stored. */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of one, so that anything else costs no look-up. */
export function isOpaqueToken(text: unknown): text is string {
  return typeof text === 'string' && OPAQUE_TOKEN.test(text);
}

/** What is stored of one: SHA-256 suffices, since nobody can guess through 256 random bits. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
