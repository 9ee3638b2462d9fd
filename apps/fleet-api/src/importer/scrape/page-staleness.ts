import type { Page } from './read-page.ts';

/**
 * Time after which an unchanged page is stale. Energy and power change within minutes. If a page has them and does not change at
 * all, the exporter has lost its GPUs and repeats the last readings. Without them, the page of an idle GPU is the same for hours.
 */
const STALE_AFTER_MS = 300_000;

/** Detects an exporter that repeats the same page. */
export class PageStaleness {
  isStale = false;
  /** Time of the first page with the content of the last one, in ms since the epoch. */
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
