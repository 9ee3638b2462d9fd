import { longWordKey, trigramKeys, wordKey } from '../../../model/alerts/alert-words.ts';
import type { AccessScope } from '../../access/access-scope.ts';
import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { Predicate } from '../filters/alert-predicate.ts';
import { isOpen, type TimeWindow } from '../filters/time-window.ts';
import { boundaryBefore } from '../counts/count-spans.ts';
import type { WordCondition } from './word-conditions.ts';

/** Returns a query of the stored words that satisfy a condition in a window, in the column `key`. */
export function wordsSql(
  statement: ScopedStatement,
  scope: AccessScope,
  { text, part }: WordCondition,
  { fromMs, toMs }: TimeWindow,
): string {
  const value = `${statement.value(text)}::text`;
  const compared = {
    whole: `w.word = ${value}`,
    start: `starts_with(w.word, ${value})`,
    end: `right(w.word, length(${value})) = ${value}`,
    any: `strpos(w.word, ${value}) > 0`,
  }[part];
  const month = boundaryBefore(fromMs, 'month');
  return `SELECT w.key FROM fleet.alert_words w
    WHERE ${statement.customer('w')} AND w.month >= ${timeLiteral(month)} AND w.month < ${timeLiteral(toMs)}
      AND w.trigrams @> ${keysLiteral(trigramKeys(scope.customerId, text))} AND ${compared}`;
}

/** Returns the predicate on `fleet.alerts` for the alerts of a customer that have a word for each condition. */
export function wordPredicate(
  statement: ScopedStatement,
  scope: AccessScope,
  conditions: readonly WordCondition[],
  window: TimeWindow,
): Predicate {
  const { customerId } = scope;
  const long = longWordKey(customerId);
  const keys = conditions.map((condition) =>
    condition.part === 'whole'
      ? keysLiteral([wordKey(customerId, condition.text), long])
      : `(SELECT array_agg(found.key) || ${long} FROM (${wordsSql(statement, scope, condition, window)}) AS found)`,
  );
  return (alias) => keys.map((listed) => `${alias}.words && ${listed}`).join(' AND ');
}

/**
 * Returns the predicate of a window with its bounds in the text: the planner compares how many alerts the window and the
 * words select. Times are formatted here, never taken from the request.
 */
export function literalWindow(window: TimeWindow): Predicate {
  if (isOpen(window)) return () => 'true';
  const { fromMs, toMs } = window;
  return (alias) =>
    `${alias}.created_at >= ${timeLiteral(fromMs)} AND ${alias}.created_at < ${timeLiteral(toMs)}`;
}

const timeLiteral = (ms: number) => `'${new Date(ms).toISOString()}'::timestamptz`;
const keysLiteral = (keys: readonly number[]) => `'{${keys.join(',')}}'::integer[]`;
