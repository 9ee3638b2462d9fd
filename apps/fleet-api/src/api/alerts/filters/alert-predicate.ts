import { VALUE_FIELD_NAMES, VALUE_FIELDS } from '../value-fields.ts';
import { type WordCondition, wordConditions } from '../text/word-conditions.ts';
import type { TextField, TextFilter } from './alert-filters.ts';

/**
 * Returns the predicate of the filters on severity, type and state (`SelectedValues`). A parameter without a filter is null, so the
 * comparison is null and `IS NOT FALSE` selects the row.
 *
 * `IS NOT FALSE` also hides the comparison from indexes. PostgreSQL could otherwise prefer an index that starts with one of these
 * columns to the index of the scan: where it has no statistics, as in a new partition, it takes the smaller one.
 */
export function selectedValuesSql(alias: string): string {
  return VALUE_FIELD_NAMES.map(
    (field) => `(${alias}.${field} = ANY (:${field}::${VALUE_FIELDS[field].sqlType}[])) IS NOT FALSE`,
  ).join(' AND ');
}

/** The predicate on the rows `a` of alerts or past states. */
export const SELECTED_VALUES = selectedValuesSql('a');

/**
 * The same predicate for a scan of the alerts of an API key by time. The index `alerts_of_key` ends with these columns, so an index
 * condition (not `IS NOT FALSE`) skips other values without reading rows. Without a filter, all values are listed.
 */
export const SELECTED_VALUES_OF_KEY = VALUE_FIELD_NAMES.map((field) => {
  const { stored, sqlType } = VALUE_FIELDS[field];
  return `a.${field} = ANY (coalesce(:${field}::${sqlType}[], '{${stored.join(',')}}'::${sqlType}[]))`;
}).join(' AND ');

/** The text filters of a request. Only these change the text of a statement; other filters are parameters. */
export interface TextConditions {
  /** Predicate on the rows `a` of alerts or past states. */
  sql: string;
  /** Conditions that a search in the word index uses, whole and long words first. */
  words: WordCondition[];
  /** Values of the parameters in `sql` and of `words`, by name without the colon. */
  parameters: Record<string, string>;
}

/**
 * Combines text filters with AND. Texts are compared in lower case (of all scripts, by ICU) and by code point. No operator interprets
 * the value as a pattern. A null hostname contains and equals no value.
 */
export function textConditions(filters: readonly TextFilter[]): TextConditions {
  const words = wordConditions(filters);
  const parameters: Record<string, string> = {};
  filters.forEach(({ value }, n) => (parameters[`text${n}`] = value));
  for (const { parameter, text } of words) parameters[parameter] = text;
  return { sql: filters.map(textFilterSql).join(' AND '), words, parameters };
}

function textFilterSql({ fields, operator }: TextFilter, n: number): string {
  const comparisons = fields.map((field) => comparisonSql(field, operator, `:text${n}`));
  return `(${comparisons.join(' OR ')})`;
}

function comparisonSql(field: TextField, operator: TextFilter['operator'], parameter: string): string {
  // A subquery is evaluated once per statement. A generic plan evaluates a function of a parameter for each row.
  const value = `(SELECT ${lowerCaseSql(`${parameter}::text`)})`;
  const text = lowerCaseSql(`a.${field}`);
  switch (operator) {
    case 'contains':
      return `strpos(${text}, ${value}) > 0`;
    case 'notContains':
      return `(strpos(${text}, ${value}) > 0) IS NOT TRUE`;
    case 'startsWith':
      return `starts_with(${text}, ${value})`;
    case 'endsWith':
      return `right(${text}, length(${value})) = ${value}`;
    case 'equals':
      return `${text} = ${value}`;
    case 'notEquals':
      return `${text} IS DISTINCT FROM ${value}`;
  }
}

/** Returns the expression of a text in lower case, independent of the server's locale. */
export function lowerCaseSql(text: string): string {
  return `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
}
