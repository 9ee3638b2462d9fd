import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import { type CustomerReader, queryEach } from '../../access/tenant-database.ts';
import { TenantStatement } from '../../access/tenant-statement.ts';
import { type AlertRelation, ALL_ALERTS } from '../alert-relations.sql.ts';
import { TOTAL } from '../counts/alert-counts.statements.ts';
import { countParameters } from '../counts/stored-counts.ts';
import type { TextConditions } from '../filters/alert-predicate.ts';
import { type AlertSelection, selectionParameters } from '../filters/alert-selection.ts';
import { ANY_VALUES } from '../value-fields.ts';
import { foundAlerts, MAX_WORDS_PER_CONDITION, type Sample, sampleSql } from './text-search.sql.ts';
import type { WordCondition } from './word-conditions.ts';

/** Cost of an alert that the word index finds, relative to an alert that is read in order. */
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
 * Query plan of a read with text filters: a search in the word index for rare texts, or a scan in page order for common texts.
 * See docs/decisions/alert-queries.md#text-filters.
 */
export class TextSearch {
  /** @param searchedWords conditions that are looked up in the word index; empty for a scan */
  private constructor(
    private readonly texts: TextConditions,
    private readonly window: AlertSelection['window'],
    private readonly searchedWords: readonly WordCondition[],
  ) {}

  /** Chooses the plan: samples the newest alerts to estimate how many match. @returns null without text filters */
  static async plan(
    customers: readonly CustomerReader[],
    selection: AlertSelection,
    { rows, hasTotal = false }: Pick<TextRead, 'rows' | 'hasTotal'>,
  ): Promise<TextSearch | null> {
    const { texts, window, values } = selection;
    if (texts === null) return null;
    const samples = await sampleAlerts(customers, selection, texts);
    const selected = await countAlerts(customers, selection);
    const hasValueFilters = Object.values(values).some((selectedValues) => selectedValues !== null);
    // A search reads alerts of every severity, type and state, so its cost depends on their number without these filters.
    const unfiltered = { ...selection, values: ANY_VALUES };
    const searchedWords = conditionsWorthSearching(texts.words, samples, {
      rows,
      // A search finds alerts of the whole customer, but the sample and the counts cover only the scope. For a partial scope, the
      // number of alerts that it finds is unknown, so it must cost less than a scan for the page alone.
      hasTotal: hasTotal && customers.every(({ scope }) => rangeOf(scope) === 'customer'),
      selected,
      inWindow: hasValueFilters ? await countAlerts(customers, unfiltered) : selected,
    });
    return new TextSearch(texts, window, searchedWords);
  }

  /** Returns the relation to read: the alerts that the word index finds, or all alerts with the text filters as a predicate. */
  alertsIn(scope: AccessScope): AlertRelation {
    const { texts, window, searchedWords } = this;
    if (searchedWords.length > 0) return foundAlerts(scope, texts, window, searchedWords);
    return { ...ALL_ALERTS[rangeOf(scope)], where: texts.sql, pastWhere: texts.sql };
  }
}

/** Compares a sample of the newest alerts of each customer with the text filters. */
function sampleAlerts(
  customers: readonly CustomerReader[],
  selection: AlertSelection,
  texts: TextConditions,
): Promise<Sample[]> {
  return queryEach(customers, (scope) => {
    const sql = sampleSql(scope, texts, selection.window);
    return new TenantStatement(sql, { isPrepared: false }).with(texts.parameters);
  });
}

/** Returns the number of alerts in scope and window that satisfy the filters on severity, type and state. */
async function countAlerts(customers: readonly CustomerReader[], selection: AlertSelection): Promise<number> {
  const parameters = selectionParameters(selection);
  const counts = await queryEach<{ total: number }>(customers, (scope) =>
    TOTAL[rangeOf(scope)].with({ ...parameters, ...countParameters(selection, scope, { groupedBy: [] }) }),
  );
  return counts.reduce((sum, { total }) => sum + total, 0);
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
