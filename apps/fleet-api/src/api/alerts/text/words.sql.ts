import { longWordKey, trigramKeys, wordKey } from '../../../model/alerts/alert-words.ts';
import { boundaryBefore } from '../counts/count-spans.ts';
import { isOpen, type TimeWindow } from '../filters/time-window.ts';
import type { WordCondition } from './word-conditions.ts';

/**
 * Returns a query of the keys of the stored words that match a condition in a window, by the index of their trigrams.
 *
 * @param parameter name of the parameter with the text of the condition, such as `:word0`
 */
export function wordsSql(
  customerId: number,
  { text, part }: WordCondition,
  parameter: string,
  { fromMs, toMs }: TimeWindow,
): string {
  const value = `${parameter}::text`;
  const comparison = {
    whole: `w.word = ${value}`,
    start: `starts_with(w.word, ${value})`,
    end: `right(w.word, length(${value})) = ${value}`,
    any: `strpos(w.word, ${value}) > 0`,
  }[part];
  const month = boundaryBefore(fromMs, 'month');
  return `SELECT w.key FROM fleet.alert_words w
    WHERE w.customer_id = :customer AND w.month >= ${timeLiteral(month)} AND w.month < ${timeLiteral(toMs)}
      AND w.trigrams @> ${keysLiteral(trigramKeys(customerId, text))} AND ${comparison}`;
}

/** Returns the texts of the conditions as the parameters `word0`, `word1`, …. */
export function wordParameters(conditions: readonly WordCondition[]): Record<string, string> {
  return Object.fromEntries(conditions.map(({ text }, n) => [`word${n}`, text]));
}

/** Returns the predicate on `fleet.alerts` that selects the alerts with a matching word for each condition. */
export function wordPredicate(
  alias: string,
  customerId: number,
  conditions: readonly WordCondition[],
  window: TimeWindow,
): string {
  // All long words have one key, so an alert with a long word may match any condition.
  const long = longWordKey(customerId);
  const keysOf = (condition: WordCondition, n: number) =>
    condition.part === 'whole'
      ? keysLiteral([wordKey(customerId, condition.text), long])
      : `(SELECT array_agg(found.key) || ${long} FROM (${wordsSql(customerId, condition, `:word${n}`, window)}) AS found)`;
  return conditions.map((condition, n) => `${alias}.words && ${keysOf(condition, n)}`).join(' AND ');
}

/**
 * Returns the predicate of a window with literal bounds, so that the planner can compare the number of alerts in the window with that
 * of the words. The literals are formatted here, never taken from the request.
 */
export function literalWindowSql(alias: string, window: TimeWindow): string {
  if (isOpen(window)) return 'true';
  const { fromMs, toMs } = window;
  return `${alias}.created_at >= ${timeLiteral(fromMs)} AND ${alias}.created_at < ${timeLiteral(toMs)}`;
}

const timeLiteral = (ms: number) => `'${new Date(ms).toISOString()}'::timestamptz`;
const keysLiteral = (keys: readonly number[]) => `'{${keys.join(',')}}'::integer[]`;
