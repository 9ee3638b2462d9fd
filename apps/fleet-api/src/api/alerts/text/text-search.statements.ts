import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import { scansOf, unionAll } from '../../access/scope.sql.ts';
import { ALERT_COLUMNS } from '../alert-columns.ts';
import type { AlertRelation } from '../alert-scans.sql.ts';
import { lowerCaseSql, textConditions } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { WordCondition } from './word-conditions.ts';
import { literalWindowSql, wordPredicate, wordsSql } from './words.sql.ts';

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

/** Returns a statement that compares the newest alerts in the window with the text filters. Other filters do not apply. */
export function sampleSql(
  scope: AccessScope,
  { texts, window }: AlertSelection,
  conditions: readonly WordCondition[],
): string {
  const { workspaceIds } = scope;
  // The sample is divided among the scans of the scope.
  const scanCount = workspaceIds === 'all' ? 1 : workspaceIds.length;
  const newest = scansOf(
    'a',
    rangeOf(scope),
    (rows) => `SELECT a.hostname, a.title, a.description, ${ALL_TEXTS} AS all_texts FROM fleet.alerts a
      WHERE ${rows} AND ${literalWindowSql('a', window)}
      ORDER BY a.created_at DESC LIMIT ${Math.ceil(SAMPLE_ROWS / scanCount)}`,
  );
  const conditionHits = conditions.map(
    (_condition, n) => `count(*) FILTER (WHERE strpos(newest.all_texts, :word${n}::text) > 0)`,
  );
  const wordCounts = conditions.map((condition, n) => {
    if (condition.part === 'whole') return '0';
    const words = wordsSql(scope.customerId, condition, `:word${n}`, window);
    return `(SELECT count(*)::integer FROM (${words} LIMIT ${MAX_WORDS_PER_CONDITION + 1}) AS matching_words)`;
  });
  return `SELECT count(*)::integer AS sampled, (count(*) FILTER (WHERE ${textConditions(texts).predicate('newest')}))::integer AS hits,
      ARRAY[${conditionHits.join(', ')}]::integer[] AS condition_hits, ARRAY[${wordCounts.join(', ')}]::integer[] AS words
    FROM (${unionAll(newest)}) AS newest`;
}

/**
 * Returns the relation of the alerts of a customer that have the words (index `alerts_with_word`) and match the text filters. Other
 * filters do not apply within it: the planner expects too many alerts per word, and would also read the indexes of these filters
 * (docs/decisions/alert-queries.md#text-filters).
 */
export function foundAlerts(
  scope: AccessScope,
  { texts, window }: AlertSelection,
  conditions: readonly WordCondition[],
): AlertRelation {
  const { predicate } = textConditions(texts);
  const words = wordPredicate('a', scope.customerId, conditions, window);
  const columns = [...ALERT_COLUMNS, 'state_seq'].map((column) => `a.${column}`).join(', ');
  // `MATERIALIZED` keeps the other filters out; `+ 0` disables the indexes that start with `customer_id`.
  const withSql = `WITH found AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alerts a
      WHERE a.customer_id + 0 = :customer AND ${literalWindowSql('a', window)} AND ${words}
        AND ${predicate('a')}
    )`;
  return {
    table: 'found',
    hasWorkspaceIndex: false,
    range: rangeOf(scope),
    withSql,
    textPredicate: () => 'true',
    pastTextPredicate: predicate,
  };
}
