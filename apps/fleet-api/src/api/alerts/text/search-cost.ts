import { MAX_WORDS, type Sample } from './text-search.statements.ts';
import type { WordCondition } from './word-conditions.ts';

/** Cost of an alert found by its words, where an alert that is read in order costs 1. */
const FOUND_COST = 2;

/**
 * Returns the conditions whose search costs less than a scan in order, which ends when the page is full:
 *
 *     cost of a scan   = rows of the page / rate of matching alerts, at most the number of selected alerts
 *     cost of a search = FOUND_COST * selected alerts * rate of alerts with the text of the condition
 *
 * @param read the number of alerts that the other filters select, and the number of rows of the page
 */
export function conditionsWorthSearching(
  conditions: readonly WordCondition[],
  samples: readonly Sample[],
  { selected, rows }: { selected: number; rows: number },
): WordCondition[] {
  const sum = (numberOf: (sample: Sample) => number | undefined) =>
    samples.reduce((total, sample) => total + (numberOf(sample) ?? 0), 0);
  const sampledAlerts = sum(({ sampled }) => sampled);
  // Adds half a hit: a sample without hits does not prove that no alert matches.
  const rateOf = (hits: number) => (hits + 0.5) / Math.max(1, sampledAlerts);
  const scanCost = Math.min(selected, rows / rateOf(sum(({ hits }) => hits)));
  return conditions.filter((_condition, n) => {
    const searchCost = FOUND_COST * selected * rateOf(sum(({ condition_hits }) => condition_hits[n]));
    return sum(({ words }) => words[n]) <= MAX_WORDS && searchCost < scanCost;
  });
}
