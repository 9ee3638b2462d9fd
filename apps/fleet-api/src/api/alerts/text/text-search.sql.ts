import { ALERT_COLUMNS } from '../../../model/alerts/alert-columns.ts';
import { longWordKey, trigramKeys, wordKey } from '../../../model/alerts/alert-words.ts';
import type { TimeWindow } from '../../../model/time-window.ts';
import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import { scansOf, unionAll } from '../../access/scope.sql.ts';
import type { AlertRelation } from '../alert-relations.sql.ts';
import { boundaryBefore } from '../counts/count-spans.ts';
import { lowerCaseSql, type TextConditions } from '../filters/alert-predicate.ts';
import { isOpen } from '../filters/alert-selection.ts';
import type { WordCondition } from './word-conditions.ts';

/** Number of newest alerts that are compared with the texts, to estimate the number of matches. */
const SAMPLE_ROWS = 1_000;
/** Maximum number of words that a condition may match. The index is not used for a part of more words. */
export const MAX_WORDS_PER_CONDITION = 1_000;
/**
 * Concatenation of all texts of an alert in lower case. It is computed once per row, because lower casing by ICU takes longer than the
 * rest of a sample.
 */
const ALL_TEXTS = lowerCaseSql("concat_ws(' ', a.hostname, a.title, a.description)");

/** The row of `sampleSql`. */
export interface Sample {
  /** Number of alerts in the sample. */
  sampled: number;
  /** Number of sampled alerts that match all text filters. */
  hits: number;
  /** Number of sampled alerts with the text of each condition. */
  condition_hits: number[];
  /** Number of words that match each condition, at most `MAX_WORDS_PER_CONDITION` + 1; not counted (0) for a whole word. */
  words: number[];
}

/** Returns a statement that compares the newest alerts `a` in the window with the text filters. Other filters do not apply. */
export function sampleSql(
  scope: AccessScope,
  { sql, words: conditions }: TextConditions,
  window: TimeWindow,
): string {
  const { customerId, workspaceIds } = scope;
  // The sample is divided among the scans of the scope.
  const scanCount = workspaceIds === 'all' ? 1 : workspaceIds.length;
  const newest = scansOf(
    'a',
    rangeOf(scope),
    (rows) => `SELECT a.hostname, a.title, a.description, ${ALL_TEXTS} AS all_texts FROM fleet.alerts a
      WHERE ${rows} AND ${literalWindowSql(window)}
      ORDER BY a.created_at DESC LIMIT ${Math.ceil(SAMPLE_ROWS / scanCount)}`,
  );
  const conditionHits = conditions.map(
    ({ parameter }) => `count(*) FILTER (WHERE strpos(a.all_texts, :${parameter}::text) > 0)`,
  );
  const wordCounts = conditions.map((condition) => {
    if (condition.part === 'whole') return '0';
    const words = wordsSql(customerId, condition, window);
    return `(SELECT count(*)::integer FROM (${words} LIMIT ${MAX_WORDS_PER_CONDITION + 1}) AS matching_words)`;
  });
  return `SELECT count(*)::integer AS sampled, (count(*) FILTER (WHERE ${sql}))::integer AS hits,
      ARRAY[${conditionHits.join(', ')}]::integer[] AS condition_hits, ARRAY[${wordCounts.join(', ')}]::integer[] AS words
    FROM (${unionAll(newest)}) AS a`;
}

/**
 * Returns the relation of the alerts of a customer that have the words (index `alerts_with_word`) and match the text filters. Other
 * filters do not apply within it: the planner expects too many alerts per word, and would also read the indexes of these filters
 * (docs/decisions/alert-queries.md#text-filters).
 */
export function foundAlerts(
  scope: AccessScope,
  { sql }: TextConditions,
  window: TimeWindow,
  conditions: readonly WordCondition[],
): AlertRelation {
  const { customerId } = scope;
  const words = conditions.map((condition) => `a.words && ${keysSql(customerId, condition, window)}`);
  const columns = [...ALERT_COLUMNS, 'state_seq'].map((column) => `a.${column}`).join(', ');
  // `MATERIALIZED` keeps the other filters out; `+ 0` disables the indexes that start with `customer_id`.
  const withSql = `WITH found AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alerts a
      WHERE a.customer_id + 0 = :customer AND ${literalWindowSql(window)} AND ${words.join(' AND ')}
        AND ${sql}
    )`;
  return {
    table: 'found',
    hasWorkspaceIndex: false,
    range: rangeOf(scope),
    where: 'true',
    withSql,
    pastWhere: sql,
  };
}

/** Returns the keys of the words that match a condition. All long words have one key, so an alert with one may match any condition. */
function keysSql(customerId: number, condition: WordCondition, window: TimeWindow): string {
  const long = longWordKey(customerId);
  if (condition.part === 'whole') return keysLiteral([wordKey(customerId, condition.text), long]);
  return `(SELECT array_agg(found.key) || ${long} FROM (${wordsSql(customerId, condition, window)}) AS found)`;
}

/** Returns a query of the keys of the stored words that match a condition in a window, by the index of their trigrams. */
function wordsSql(
  customerId: number,
  { parameter, text, part }: WordCondition,
  { fromMs, toMs }: TimeWindow,
): string {
  const value = `:${parameter}::text`;
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

/**
 * Returns the predicate of a window with literal bounds, so that the planner can compare the number of alerts in the window with that
 * of the words. The literals are formatted here, never taken from the request.
 */
function literalWindowSql(window: TimeWindow): string {
  if (isOpen(window)) return 'true';
  return `a.created_at >= ${timeLiteral(window.fromMs)} AND a.created_at < ${timeLiteral(window.toMs)}`;
}

const timeLiteral = (ms: number) => `'${new Date(ms).toISOString()}'::timestamptz`;
const keysLiteral = (keys: readonly number[]) => `'{${keys.join(',')}}'::integer[]`;
