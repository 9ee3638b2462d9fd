import { LRUCache } from 'lru-cache';

/**
 * Equal lines are close to each other in a log, so old keys can be evicted. If an evicted line appears again, its numbers restart
 * at 0, and it is imported as a duplicate.
 */
const MAX_CACHED = 50_000;

/** Numbers equal lines, from 0: a log in whole seconds repeats a line for each XID of a burst. */
export class Occurrences {
  private readonly counts = new LRUCache<string, number>({ max: MAX_CACHED });

  /** Returns the number of earlier lines with the same key, and counts this one. */
  next(key: string): number {
    const earlier = this.counts.get(key) ?? 0;
    this.counts.set(key, earlier + 1);
    return earlier;
  }
}
