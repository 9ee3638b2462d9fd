/** Bytes of one entry of a session list: the id (a UUID), then the time of the revocation in Unix seconds, big-endian. */
export const SESSION_ENTRY_BYTES = 20;

const ID_BYTES = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Ids of ended sessions, with the time of the revocation in Unix seconds. A key is the 16 bytes of the id: a million take 90 MB, of
 * texts with 36 characters 480 MB.
 */
export class RevokedSessions {
  private readonly revokedAt = new Map<string, number>();

  get size(): number {
    return this.revokedAt.size;
  }

  /** Returns whether an id has the form that is stored. */
  static accepts(id: string): boolean {
    return UUID.test(id);
  }

  /** @param id accepted by `accepts` */
  add(id: string, revokedAtSeconds: number): void {
    this.set(keyOf(id), revokedAtSeconds);
  }

  /** @param entries `SESSION_ENTRY_BYTES` each */
  addAll(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += SESSION_ENTRY_BYTES)
      this.set(entries.toString('latin1', at, at + ID_BYTES), entries.readUInt32BE(at + ID_BYTES));
  }

  /** @param id accepted by `accepts` */
  has(id: string): boolean {
    return this.size > 0 && this.revokedAt.has(keyOf(id));
  }

  /** Removes the sessions revoked before an instant, in Unix seconds. */
  removeBefore(seconds: number): void {
    for (const [key, revokedAt] of this.revokedAt) if (revokedAt < seconds) this.revokedAt.delete(key);
  }

  private set(key: string, revokedAtSeconds: number): void {
    this.revokedAt.set(key, Math.max(this.revokedAt.get(key) ?? 0, revokedAtSeconds));
  }
}

function keyOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1');
}
