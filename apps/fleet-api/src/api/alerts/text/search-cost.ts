import { MAX_WORDS_PER_CONDITION, type Sample } from './text-search.statements.ts';
import type { WordCondition } from './word-conditions.ts';

/** Cost of an alert found by its words, where an alert that is read in order costs 1. */
const FOUND_COST = 3;
/**
 * Maximum number of found alerts for a search that counts them, about 100 MB of temporary files. A page of more matches is read in
 * order, and its total alone is cut off by the time limit.
 */
const MAX_COUNTED = 100_000;

/** What a read selects besides its texts, and needs of the matching alerts. */
export interface TextRead {
  /** Number of alerts in scope and window: a search by words reads those that have them. */
  inWindow: number;
  /** Number of them that the other filters select. */
  selected: number;
  /** Rows of the page; Infinity for all matches. */
  rows: number;
  /** Whether a page needs the number of matches too. */
  hasTotal?: boolean;
}

/**
 * Returns the conditions whose search costs less than a scan in order, which ends when the page is full unless the matches are
 * counted:
 *
 *     cost of a scan   = rows of the page / rate of matching alerts, at most the number of selected alerts
 *     cost of a search = FOUND_COST * alerts in the window * rate of alerts with the text of the condition
 */
export function conditionsWorthSearching(
  conditions: readonly WordCondition[],
  samples: readonly Sample[],
  { inWindow, selected, rows, hasTotal = false }: TextRead,
): WordCondition[] {
  /** Adds up a number of the samples of all customers. */
  const sum = (numberOf: (sample: Sample) => number | undefined) =>
    samples.reduce((total, sample) => total + (numberOf(sample) ?? 0), 0);
  const sampledAlerts = sum(({ sampled }) => sampled);
  // Adds half a hit: a sample without hits does not prove that no alert matches.
  const rateOf = (hits: number) => (hits + 0.5) / Math.max(1, sampledAlerts);
  const pageCost = Math.min(selected, rows / rateOf(sum(({ hits }) => hits)));
  return conditions.filter((_condition, n) => {
    const words = sum((sample) => sample.words[n]);
    if (words > MAX_WORDS_PER_CONDITION) return false;
    const found = inWindow * rateOf(sum((sample) => sample.condition_hits[n]));
    const isCounted = hasTotal && found <= MAX_COUNTED;
    return FOUND_COST * found < (isCounted ? selected : pageCost);
  });
}
