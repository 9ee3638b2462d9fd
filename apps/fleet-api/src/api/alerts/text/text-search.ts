import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import type { CustomerReader } from '../../access/tenant-database.ts';
import { TenantStatement } from '../../access/tenant-statement.ts';
import { type AlertRelation, ALL_ALERTS } from '../alert-scans.sql.ts';
import { TOTAL } from '../counts/alert-counts.statements.ts';
import { countParameters } from '../counts/stored-counts.ts';
import { textConditions, type TextConditions } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { ANY_VALUES } from '../value-fields.ts';
import { conditionsWorthSearching, type TextRead } from './search-cost.ts';
import { foundAlerts, type Sample, sampleSql } from './text-search.statements.ts';
import { type WordCondition, wordConditions } from './word-conditions.ts';
import { wordParameters } from './words.sql.ts';

/**
 * Query plan of a read with text filters: a search in the word index for rare texts, or a scan in page order for common texts.
 * See docs/decisions/alert-queries.md#text-filters.
 */
export class TextSearch {
  private readonly texts: TextConditions;

  /** @param indexedConditions conditions that are looked up in the word index; empty for a scan */
  private constructor(
    private readonly selection: AlertSelection,
    private readonly indexedConditions: readonly WordCondition[],
  ) {
    this.texts = textConditions(selection.texts);
  }

  /** Chooses the plan: samples the newest alerts to estimate how many match. @returns null without text filters */
  static async plan(
    customers: readonly CustomerReader[],
    selection: AlertSelection,
    { rows, hasTotal = false }: Pick<TextRead, 'rows' | 'hasTotal'>,
  ): Promise<TextSearch | null> {
    if (selection.texts.length === 0) return null;
    const conditions = wordConditions(selection.texts);
    const samples = await sampleAlerts(customers, selection, conditions);
    const selected = await countAlerts(customers, selection);
    const hasValueFilters = Object.values(selection.values).some((values) => values !== null);
    // A search reads alerts of every severity, type and state, so its cost depends on their number without these filters.
    const unfiltered = { ...selection, values: ANY_VALUES };
    const indexedConditions = conditionsWorthSearching(conditions, samples, {
      rows,
      // A search finds alerts of the whole customer, but the sample and the counts cover only the scope. For a partial scope, the
      // number of alerts that it finds is unknown, so it must cost less than a scan for the page alone.
      hasTotal: hasTotal && customers.every(({ scope }) => rangeOf(scope) === 'customer'),
      selected,
      inWindow: hasValueFilters ? await countAlerts(customers, unfiltered) : selected,
    });
    return new TextSearch(selection, indexedConditions);
  }

  /** Parameters of the statements, by name without the colon. */
  get parameters(): Record<string, string> {
    return { ...this.texts.parameters, ...wordParameters(this.indexedConditions) };
  }

  /** Returns the relation to read: the alerts that the word index finds, or all alerts with the text filters as a predicate. */
  alertsIn(scope: AccessScope): AlertRelation {
    if (this.indexedConditions.length > 0) return foundAlerts(scope, this.selection, this.indexedConditions);
    const { predicate } = this.texts;
    return { ...ALL_ALERTS[rangeOf(scope)], textPredicate: predicate, pastTextPredicate: predicate };
  }
}

/** Compares a sample of the newest alerts of each customer with the text filters. */
async function sampleAlerts(
  customers: readonly CustomerReader[],
  selection: AlertSelection,
  conditions: readonly WordCondition[],
): Promise<Sample[]> {
  const parameters = { ...textConditions(selection.texts).parameters, ...wordParameters(conditions) };
  const samples = customers.map(({ scope, query }) => {
    const sql = sampleSql(scope, selection, conditions);
    return query<Sample>(new TenantStatement(sql, { isPrepared: false }).with(parameters));
  });
  return (await Promise.all(samples)).flat();
}

/** Returns the number of alerts in scope and window that satisfy the filters on severity, type and state. */
async function countAlerts(customers: readonly CustomerReader[], selection: AlertSelection): Promise<number> {
  const counts = customers.map(({ scope, query }) =>
    query<{ total: number }>(
      TOTAL[rangeOf(scope)].with({
        ...countParameters(selection, scope, { groupedBy: [] }),
        ...selection.values,
      }),
    ),
  );
  return (await Promise.all(counts)).flat().reduce((sum, { total }) => sum + total, 0);
}
