import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import { scansOf, unionAll } from '../../access/scope.sql.ts';
import { ALERT_COLUMNS } from '../alert-columns.ts';
import type { AlertRelation } from '../alert-scans.sql.ts';
import { lowerCase, textConditions } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { WordCondition } from './word-conditions.ts';
import { literalWindow, wordPredicate, wordsSql } from './words.sql.ts';

/** Number of newest alerts that are compared to estimate how many match. */
const SAMPLE_ROWS = 1_000;
/** A part of a word that is in more words than this is too common for the index. */
export const MAX_WORDS_PER_CONDITION = 1_000;
/**
 * Lower-case concatenation of all texts of an alert, which a condition is compared with. Computed once per row: lowercasing by ICU
 * takes longer than the rest of a sample.
 */
const ALL_TEXTS = lowerCase("concat_ws(' ', a.hostname, a.title, a.description)");

/** The row of `sampleSql`. */
export interface Sample {
  /** Number of alerts in the sample. */
  sampled: number;
  /** Number of sampled alerts that match all text filters. */
  hits: number;
  /** Number of sampled alerts with the text of each condition. */
  condition_hits: number[];
  /** Number of words that satisfy each condition, at most `MAX_WORDS_PER_CONDITION` + 1; 0 for a whole word, which is one. */
  words: number[];
}

/** Returns a statement that compares the newest alerts in the window of a selection with its texts. Other filters do not apply. */
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
      WHERE ${rows} AND ${literalWindow('a', window)}
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
 * Returns the alerts of a customer that have the words and match the texts, by `alerts_with_word`. Other filters do not apply: the
 * planner would also read their indexes, as it expects more alerts per word than there are
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
  // `MATERIALIZED` separates the other filters; `+ 0` disables the indexes that start with `customer_id`.
  const withSql = `WITH found AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alerts a
      WHERE a.customer_id + 0 = :customer AND ${literalWindow('a', window)} AND ${words}
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
