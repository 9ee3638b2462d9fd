import type { Page } from './read-page.ts';

/**
 * Energy and power change within minutes. A page that has them and does not change at all is from an exporter that has lost its
 * GPUs and repeats the last readings. Without them, an idle GPU has the same page for hours.
 */
const STALE_AFTER_MS = 300_000;

/** Detects an exporter that repeats the same page. */
export class PageStaleness {
  isStale = false;
  /** Time of the first page with the last content. */
  unchangedSinceMs = 0;
  private lastDigest = '';

  /** Compares a page with the one before. @returns whether `isStale` has changed */
  update({ digest, mustChange }: Pick<Page, 'digest' | 'mustChange'>, nowMs: number): boolean {
    if (digest !== this.lastDigest) {
      this.lastDigest = digest;
      this.unchangedSinceMs = nowMs;
    }
    const wasStale = this.isStale;
    this.isStale = mustChange && nowMs - this.unchangedSinceMs >= STALE_AFTER_MS;
    return this.isStale !== wasStale;
  }
}
