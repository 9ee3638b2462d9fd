import { SECOND_MS } from '@gpu-observatory/domain-types';

/** Bytes of one entry of a session list: the id (a UUID), then the time of the revocation in Unix seconds, big-endian. */
export const SESSION_ENTRY_BYTES = 20;

const ID_BYTES = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Ids of ended sessions, with the time of the revocation in Unix seconds. The key of a UUID is its 16 bytes: a million take
 * 90 MB, of texts with 36 characters 480 MB.
 */
export class RevokedSessions {
  private readonly revokedAt = new Map<string, number>();

  get size(): number {
    return this.revokedAt.size;
  }

  add(id: string, revokedAtMs: number): void {
    this.set(keyOf(id), Math.ceil(revokedAtMs / SECOND_MS));
  }

  /** @param entries `SESSION_ENTRY_BYTES` each */
  addAll(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += SESSION_ENTRY_BYTES)
      this.set(entries.toString('latin1', at, at + ID_BYTES), entries.readUInt32BE(at + ID_BYTES));
  }

  has(id: string): boolean {
    return this.size > 0 && this.revokedAt.has(keyOf(id));
  }

  /** Removes the sessions revoked before an instant. */
  removeBefore(instantMs: number): void {
    const seconds = Math.floor(instantMs / SECOND_MS);
    for (const [key, revokedAt] of this.revokedAt) if (revokedAt < seconds) this.revokedAt.delete(key);
  }

  private set(key: string, revokedAtSeconds: number): void {
    this.revokedAt.set(key, Math.max(this.revokedAt.get(key) ?? 0, revokedAtSeconds));
  }
}

function keyOf(id: string): string {
  return UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1') : id;
}
