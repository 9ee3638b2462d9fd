import { hash } from 'node:crypto';

/**
 * Derives a UUID (RFC 9562, version 8) from the parts, for events without an id: the same event has the same id whenever it
 * is imported. SHA-256 prevents forged collisions.
 */
export function nameUuid(...parts: unknown[]): string {
  const bytes = hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
