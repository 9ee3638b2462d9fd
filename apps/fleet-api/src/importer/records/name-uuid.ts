import { hash } from 'node:crypto';

/**
 * Derives a UUID (RFC 9562, version 8) from the parts, for events without an id: the same event has the same id whenever it
 * is imported. SHA-256 prevents forged collisions.
 */
export function nameUuid(...parts: unknown[]): string {
  const hex = hash('sha256', JSON.stringify(parts));
  // The first two bits of this digit are the variant of RFC 9562: 10.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
