import type { AccessScope } from '../../access/access-scope.ts';
import type { CustomerReader } from '../../access/tenant-database.ts';
import { rangeOf, TenantStatement } from '../../access/tenant-statement.ts';
import { type AlertRelation, ALL_ALERTS } from '../alert-scans.sql.ts';
import { TOTAL } from '../counts/alert-counts.statements.ts';
import { countParameters } from '../counts/stored-counts.ts';
import { memberParameters, textConditions, type TextConditions } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { foundSql, MAX_WORDS, sampleSql } from './text-search.statements.ts';
import { type WordCondition, wordConditions } from './word-conditions.ts';

/** Cost of an alert found by its words, relative to one that is read in order. */
const FOUND_COST = 2;

interface Sample {
  sampled: number;
  hits: number;
  /** Number of sampled alerts with the text of each condition. */
  condition_hits: number[];
  /** Number of words that satisfy each condition, at most `MAX_WORDS` + 1. */
  words: number[];
}

/**
 * The text filters of a read, and how the alerts that match them are found: by the index of words, or by a scan in order. A text
 * that many alerts contain is found sooner in order, a rare one by its words. See
 * docs/decisions/alert-queries.md#text-filters.
 */
export class TextSearch {
  private readonly conditions: TextConditions;

  private constructor(
    private readonly selection: AlertSelection,
    private readonly words: readonly WordCondition[],
  ) {
    this.conditions = textConditions(selection.texts);
  }

  /** @param rows the page's size; Infinity to count all matches */
  static async plan(
    customers: readonly CustomerReader[],
    selection: AlertSelection,
    rows: number,
  ): Promise<TextSearch> {
    if (selection.texts.length === 0) return new TextSearch(selection, []);
    const conditions = wordConditions(selection.texts);
    const { parameters } = new TextSearch(selection, conditions);
    const sampled = customers.map(({ scope, query }) => {
      const sql = sampleSql(scope, selection, conditions);
      return query<Sample>(new TenantStatement(sql, { isPrepared: false }).with(parameters));
    });
    const samples = (await Promise.all(sampled)).flat();
    const counted = customers.map(({ scope, query }) =>
      query<{ total: number }>(
        TOTAL[rangeOf(scope)].with({
          ...countParameters(selection, scope, { by: [] }),
          ...memberParameters(selection),
        }),
      ),
    );
    const totals = (await Promise.all(counted)).flat();
    const sum = (of: (sample: Sample) => number | undefined) =>
      samples.reduce((total, sample) => total + (of(sample) ?? 0), 0);
    const selected = totals.reduce((total, row) => total + row.total, 0);
    const compared = Math.max(
      1,
      sum((sample) => sample.sampled),
    );
    // Adds half a hit: a sample without hits does not prove that no alert matches.
    const rateOf = (hits: number) => (hits + 0.5) / compared;
    const inOrder = Math.min(selected, rows / rateOf(sum(({ hits }) => hits)));
    const searched = conditions
      .map((condition, n) => ({
        condition,
        words: condition.part === 'whole' ? 1 : sum((sample) => sample.words[n]),
        cost: FOUND_COST * selected * rateOf(sum((sample) => sample.condition_hits[n])),
      }))
      .filter(({ words, cost }) => words <= MAX_WORDS && cost < inOrder)
      .map(({ condition }) => condition);
    return new TextSearch(selection, searched);
  }

  /** Whether there are text filters. Statements with them are not constant. */
  get hasTexts(): boolean {
    return this.selection.texts.length > 0;
  }

  get parameters(): Record<string, string> {
    const words = this.words.map(({ text }, n) => [`word${n}`, text]);
    return { ...this.conditions.parameters, ...Object.fromEntries(words) };
  }

  /** Returns the predicate of the text filters on the table `alias`. */
  matches(alias: string): string {
    return this.conditions.matches(alias);
  }

  /** Returns the alerts of a customer to read: those that have the words and match the texts, or all of them. */
  alertsIn(scope: AccessScope): AlertRelation {
    if (this.words.length > 0) return foundSql(scope, this.selection, this.words);
    return { ...ALL_ALERTS, matches: (alias) => this.matches(alias) };
  }
}
