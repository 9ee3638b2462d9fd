import { createHash, randomUUID } from 'node:crypto';

/** A key's secret as the agent takes it: a plain UUID, here always version 4 (contract 2.9; decisions, section 3). */
export interface KeySecret {
  /** Shown once, at creation and rotation, and never stored. */
  text: string;
  hash: Buffer;
  /** Its last four characters, by which people tell keys apart. */
  ending: string;
}

export function newKeySecret(): KeySecret {
  const text = randomUUID();
  return { text, hash: hashOfKeySecret(text), ending: text.slice(-4) };
}

/** What is stored of a secret. It has 122 random bits, so nobody can guess through a plain SHA-256. */
export function hashOfKeySecret(text: string): Buffer {
  return createHash('sha256').update(text.toLowerCase()).digest();
}

/** A secret as lists show it: in its own shape, all but the last four characters hidden. */
export function maskedSecret(ending: string): string {
  return `********-****-****-****-********${ending}`;
}
