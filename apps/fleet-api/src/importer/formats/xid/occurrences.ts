/** Equal lines have times close to each other, so few are cached at a time. */
const MAX_CACHED = 50_000;

/** Numbers equal lines, from 0: a log in whole seconds repeats a line for each XID of a burst. */
export class Occurrences {
  private readonly counts = new Map<string, number>();

  /** Returns the number of earlier lines with this key. */
  count(key: string): number {
    const earlier = this.counts.get(key) ?? 0;
    this.counts.delete(key);
    this.counts.set(key, earlier + 1);
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= MAX_CACHED) break;
      this.counts.delete(oldest);
    }
    return earlier;
  }
}
