import type { Representation } from '@gpu-observatory/service-runtime';

/** Keeps representations up to a number of bytes. The oldest ones leave first. */
export class RepresentationCache {
  private readonly entries = new Map<string, Representation>();
  private cachedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Representation | undefined {
    return this.entries.get(key);
  }

  set(key: string, representation: Representation): void {
    this.evict(key);
    this.entries.set(key, representation);
    this.cachedBytes += representation.bytes.length;
    for (const oldest of this.entries.keys()) {
      if (this.cachedBytes <= this.maxBytes) break;
      this.evict(oldest);
    }
  }

  private evict(key: string): void {
    this.cachedBytes -= this.entries.get(key)?.bytes.length ?? 0;
    this.entries.delete(key);
  }
}
