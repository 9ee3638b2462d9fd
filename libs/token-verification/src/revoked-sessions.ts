/** Bytes of one entry of a session list: the id (a UUID), then the time of the revocation in Unix seconds, big-endian. */
export const SESSION_ENTRY_BYTES = 20;

/** 32-bit words of a slot: four of the id, one of the time. A time of 0 marks an empty slot. */
const SLOT_WORDS = 5;
const MIN_SLOTS = 1_024;
const MAX_LOAD = 0.7;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Ids of ended sessions, in an open-addressing hash table of numbers: a million take 42 MB and load in well under a
 * second. A `Map` of strings takes four times as much. Session ids are random, so their first word is the hash.
 */
export class RevokedSessions {
  private slots = new Uint32Array(MIN_SLOTS * SLOT_WORDS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Returns whether an id has the form that the table stores. */
  static accepts(id: string): boolean {
    return UUID.test(id);
  }

  /** @param id accepted by `accepts` */
  add(id: string, revokedAtSeconds: number): void {
    this.put(...wordsOf(id), revokedAtSeconds);
  }

  /** @param entries `SESSION_ENTRY_BYTES` each */
  addAll(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += SESSION_ENTRY_BYTES) {
      this.put(
        entries.readUInt32BE(at),
        entries.readUInt32BE(at + 4),
        entries.readUInt32BE(at + 8),
        entries.readUInt32BE(at + 12),
        entries.readUInt32BE(at + 16),
      );
    }
  }

  /** @param id accepted by `accepts` */
  has(id: string): boolean {
    return this.count > 0 && this.slots[this.find(...wordsOf(id)) + 4] !== 0;
  }

  /** Removes the sessions revoked before an instant, in Unix seconds. */
  removeBefore(seconds: number): void {
    const { slots } = this;
    let remaining = 0;
    let removed = 0;
    for (let slot = 0; slot < slots.length; slot += SLOT_WORDS) {
      const revokedAt = slots[slot + 4] as number;
      if (revokedAt === 0) continue;
      if (revokedAt < seconds) removed += 1;
      else remaining += 1;
    }
    if (removed > 0) this.rebuild(remaining, seconds);
  }

  private put(first: number, second: number, third: number, fourth: number, revokedAtSeconds: number): void {
    const slot = this.find(first, second, third, fourth);
    if (this.slots[slot + 4] !== 0) {
      this.slots[slot + 4] = Math.max(this.slots[slot + 4] as number, revokedAtSeconds);
      return;
    }
    this.slots[slot] = first;
    this.slots[slot + 1] = second;
    this.slots[slot + 2] = third;
    this.slots[slot + 3] = fourth;
    this.slots[slot + 4] = Math.max(1, revokedAtSeconds);
    this.count += 1;
    if (this.count > (this.slots.length / SLOT_WORDS) * MAX_LOAD) this.rebuild(this.count * 2, 0);
  }

  /** Returns the index of the slot of an id, or of the empty slot where it belongs. */
  private find(first: number, second: number, third: number, fourth: number): number {
    const { slots } = this;
    // The number of slots is a power of two.
    const mask = slots.length / SLOT_WORDS - 1;
    for (let index = first & mask; ; index = (index + 1) & mask) {
      const slot = index * SLOT_WORDS;
      const isFound =
        slots[slot] === first &&
        slots[slot + 1] === second &&
        slots[slot + 2] === third &&
        slots[slot + 3] === fourth;
      if (isFound || slots[slot + 4] === 0) return slot;
    }
  }

  /** Copies the entries from an instant on into a table with room for `capacity` of them. */
  private rebuild(capacity: number, fromSeconds: number): void {
    const old = this.slots;
    let slotCount = MIN_SLOTS;
    while (slotCount * MAX_LOAD <= capacity) slotCount *= 2;
    this.slots = new Uint32Array(slotCount * SLOT_WORDS);
    this.count = 0;
    for (let slot = 0; slot < old.length; slot += SLOT_WORDS) {
      const revokedAt = old[slot + 4] as number;
      if (revokedAt === 0 || revokedAt < fromSeconds) continue;
      this.put(
        old[slot] as number,
        old[slot + 1] as number,
        old[slot + 2] as number,
        old[slot + 3] as number,
        revokedAt,
      );
    }
  }
}

function wordsOf(id: string): [number, number, number, number] {
  return [
    parseInt(id.slice(0, 8), 16),
    parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    parseInt(id.slice(28), 16),
  ];
}
