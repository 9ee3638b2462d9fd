import { LRUCache } from 'lru-cache';

/**
 * Equal lines have times close to each other, so few are cached at a time. The numbers of a line that was evicted start at 0 again,
 * so that it counts as a duplicate.
 */
const MAX_CACHED = 50_000;

/** Numbers equal lines, from 0: a log in whole seconds repeats a line for each XID of a burst. */
export class Occurrences {
  private readonly counts = new LRUCache<string, number>({ max: MAX_CACHED });

  /** Counts a line, and returns the number of earlier ones with its key. */
  next(key: string): number {
    const earlier = this.counts.get(key) ?? 0;
    this.counts.set(key, earlier + 1);
    return earlier;
  }
}
