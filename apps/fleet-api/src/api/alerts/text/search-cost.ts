import { MAX_WORDS_PER_CONDITION, type Sample } from './text-search.statements.ts';
import type { WordCondition } from './word-conditions.ts';

/** Cost of an alert that the index of words finds, relative to an alert that is read in order. */
const FOUND_COST = 3;
/**
 * Maximum number of found alerts for which a search also counts the matches: they take about 100 MB of temporary files. With more, a
 * page is read in order, so that the time limit ends only the count.
 */
const MAX_COUNTED = 100_000;

/** Size of a read with text filters. */
export interface TextRead {
  /** Number of alerts in scope and window, which a search by words is limited to. */
  inWindow: number;
  /** Number of these alerts that the filters on severity, type and state select. */
  selected: number;
  /** Number of rows of the page; Infinity for all matches. */
  rows: number;
  /** Whether the page also needs the number of matches. */
  hasTotal?: boolean;
}

/**
 * Returns the conditions whose search by words costs less than a scan in order. The scan ends when the page is full, unless the
 * matches are counted:
 *
 *     cost of a scan   = rows of the page / rate of matching alerts, at most the number of selected alerts
 *     cost of a search = FOUND_COST * alerts in the window * rate of alerts with the text of the condition
 */
export function conditionsWorthSearching(
  conditions: readonly WordCondition[],
  samples: readonly Sample[],
  { inWindow, selected, rows, hasTotal = false }: TextRead,
): WordCondition[] {
  /** Returns the sum over the samples of all customers. */
  const sum = (valueOf: (sample: Sample) => number | undefined) =>
    samples.reduce((total, sample) => total + (valueOf(sample) ?? 0), 0);
  const sampledAlerts = sum(({ sampled }) => sampled);
  // Half a hit is added, because a sample without hits does not prove that no alert matches.
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
