import type { AccessScope } from '../../access/access-scope.ts';
import type { ReadPart, ScopedStatement } from '../../access/tenant-database.ts';
import { ALERT_COLUMNS } from '../alert-columns.ts';
import { countedSql } from '../counts/alert-counts.sql.ts';
import { lowerCase, textPredicate } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { indexRanges } from '../order/index-ranges.ts';
import { type WordCondition, wordConditions } from './word-conditions.ts';
import { literalWindow, wordPredicate, wordsSql } from './words.sql.ts';

/** Number of newest alerts that are compared to estimate how many match. */
const SAMPLE_ROWS = 1_000;
/** A part of a word that is in more words than this is too common for the index. */
const MAX_WORDS = 1_000;
/** Cost of an alert found by its words, relative to one that is read in order. */
const FOUND_COST = 2;
/** A condition is on all texts of an alert. ICU takes longer to turn them into lower case than the rest of a sample. */
const ALL_TEXTS = lowerCase("concat_ws(' ', a.hostname, a.title, a.description)");

interface Sample {
  sampled: number | null;
  hits: number | null;
  /** Number of sampled alerts with the text of each condition. */
  condition_hits: number[] | null;
  /** Number of words that satisfy each condition, at most `MAX_WORDS` + 1. */
  words: number[] | null;
  selected: number | null;
}

/**
 * Chooses how the alerts that match text filters are found: by the index of words, or by a scan in order. A text that many
 * alerts contain is found sooner in order, a rare one by its words. See docs/decisions/alert-queries.md#text-filters.
 *
 * @param rows the page's size; Infinity to count all matches
 * @returns words whose index is read; none for a scan in order
 */
export async function planTextSearch(
  query: ReadPart['query'],
  selection: AlertSelection,
  rows: number,
): Promise<readonly WordCondition[]> {
  if (selection.texts.length === 0) return [];
  const conditions = wordConditions(selection.texts);
  const samples = await query<Sample>((statement) => sampleSql(statement, selection, conditions));
  const sum = (of: (sample: Sample) => number | null | undefined) =>
    samples.reduce((total, sample) => total + Number(of(sample) ?? 0), 0);
  const selected = sum((sample) => sample.selected);
  const sampled = Math.max(
    1,
    sum((sample) => sample.sampled),
  );
  // Adds half a hit: a sample without hits does not prove that no alert matches.
  const rateOf = (hits: number) => (hits + 0.5) / sampled;
  const inOrder = Math.min(selected, rows / rateOf(sum(({ hits }) => hits)));
  return conditions
    .map((condition, n) => ({
      condition,
      words: condition.part === 'whole' ? 1 : sum((sample) => sample.words?.[n]),
      cost: FOUND_COST * selected * rateOf(sum((sample) => sample.condition_hits?.[n])),
    }))
    .filter(({ words, cost }) => words <= MAX_WORDS && cost < inOrder)
    .map(({ condition }) => condition);
}

/** One row per scope, and one with the number of alerts that all other filters select. */
function sampleSql(
  statement: ScopedStatement,
  selection: AlertSelection,
  conditions: readonly WordCondition[],
): string {
  const { window } = selection;
  const isWithin = literalWindow(window);
  const matches = textPredicate(statement, selection);
  const perScope = statement.scopes.map((scope) => {
    const ranges = indexRanges(scope);
    const newest = ranges.map(
      (range) => `(SELECT a.hostname, a.title, a.description, ${ALL_TEXTS} AS texts FROM fleet.alerts a
        WHERE ${statement.rowsOf(range, 'a')} AND ${isWithin('a')}
        ORDER BY a.created_at DESC LIMIT ${Math.ceil(SAMPLE_ROWS / ranges.length)})`,
    );
    const words = conditions.map((condition) =>
      condition.part === 'whole'
        ? '0'
        : `(SELECT count(*)::integer FROM (${wordsSql(statement, scope, condition, window)} LIMIT ${MAX_WORDS + 1}) AS found)`,
    );
    const hits = conditions.map(
      ({ text }) => `count(*) FILTER (WHERE strpos(newest.texts, ${statement.value(text)}::text) > 0)`,
    );
    return `SELECT count(*)::integer AS sampled, (count(*) FILTER (WHERE ${matches('newest')}))::integer AS hits,
        ARRAY[${hits.join(', ')}]::integer[] AS condition_hits, ARRAY[${words.join(', ')}]::integer[] AS words,
        NULL::bigint AS selected
      FROM (${newest.join(' UNION ALL ')}) AS newest`;
  });
  const withoutTexts = countedSql(statement, { ...selection, texts: [] }, { by: [] });
  return `${perScope.join(' UNION ALL ')}
    UNION ALL SELECT NULL, NULL, NULL, NULL, coalesce(sum(counted.n), 0)::bigint FROM (${withoutTexts}) AS counted`;
}

/** A relation of the alerts of a customer that have the words and match the texts. Other filters do not apply. */
export interface Relation {
  name: string;
  sql: string;
}

/** Returns one relation per scope; none where no words are searched. */
export function foundInScopes(
  statement: ScopedStatement,
  selection: AlertSelection,
  conditions: readonly WordCondition[],
): Relation[] {
  if (conditions.length === 0) return [];
  const columns = [...ALERT_COLUMNS, 'state_seq'].map((column) => `a.${column}`).join(', ');
  const isWithin = literalWindow(selection.window);
  const matches = textPredicate(statement, selection);
  return statement.scopes.map((scope, n) => {
    const hasWords = wordPredicate(statement, scope, conditions, selection.window);
    // Materialized, without the other filters, and without an index on the customer: the planner expects more alerts per
    // word than there are, and would also read the indexes of these conditions.
    const sql = `found_${n} AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alerts a
      WHERE ${statement.customer('a')} AND ${isWithin('a')} AND ${hasWords('a')} AND ${matches('a')}
    )`;
    return { name: `found_${n}`, sql };
  });
}

/** Returns the alerts of a scope that were found by their words or, without these, the index ranges of all. */
export function foundOrAll(
  scope: AccessScope,
  found: Relation | undefined,
): { table: string; range: AccessScope }[] {
  if (found !== undefined) return [{ table: found.name, range: scope }];
  return indexRanges(scope).map((range) => ({ table: 'fleet.alerts', range }));
}

/** Returns the WITH clause of relations, or nothing. */
export function withSql(relations: readonly Relation[]): string {
  return relations.length === 0 ? '' : `WITH ${relations.map(({ sql }) => sql).join(', ')}`;
}
