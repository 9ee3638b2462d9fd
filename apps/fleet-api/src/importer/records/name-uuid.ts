import { hash } from 'node:crypto';

/**
 * A UUID that follows from what it names (RFC 9562, version 8), for events that carry no id: the same event has the same
 * one whenever it is imported. A SHA-256 of the parts, so that nobody can make two events meet.
 */
export function nameUuid(...parts: unknown[]): string {
  const bytes = hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
