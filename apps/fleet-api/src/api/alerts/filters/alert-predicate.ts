import type { AlertColumn } from '../alert-columns.ts';
import { VALUE_FIELD_NAMES, VALUE_FIELDS } from '../value-fields.ts';
import type { TextFilter } from './alert-filters.ts';

/**
 * Returns the predicate of the filters on severity, type and state (`SelectedValues`). Without a list, the comparison is null, which
 * is not false.
 *
 * `IS NOT FALSE` also hides the comparison from indexes. PostgreSQL could otherwise prefer an index that starts with one of these
 * columns to the index of the scan: where it has no statistics, as in a new partition, it takes the smaller one.
 */
export function hasSelectedValues(alias: string): string {
  return VALUE_FIELD_NAMES.map(
    (field) => `(${alias}.${field} = ANY (:${field}::${VALUE_FIELDS[field].sqlType}[])) IS NOT FALSE`,
  ).join(' AND ');
}

/**
 * Returns the same predicate for a scan of the alerts of an API key by time. `alerts_of_key` ends with these columns, so the scan
 * skips other values without reading rows.
 */
export function hasSelectedValuesOfKey(alias: string): string {
  return VALUE_FIELD_NAMES.map((field) => {
    const { stored, sqlType } = VALUE_FIELDS[field];
    return `${alias}.${field} = ANY (coalesce(:${field}::${sqlType}[], '{${stored.join(',')}}'::${sqlType}[]))`;
  }).join(' AND ');
}

/** The text filters of a request, which are the only conditions that depend on it. */
export interface TextConditions {
  /** Returns the predicate on the columns of the table `alias`. */
  predicate(alias: string): string;
  /** By name, without the colon. */
  parameters: Record<string, string>;
}

/**
 * Compares texts in lower case (of all scripts, by ICU) and by code point. No operator interprets the value as a
 * pattern. A null hostname contains and equals no value.
 */
export function textConditions(filters: readonly TextFilter[]): TextConditions {
  return {
    predicate: (alias) =>
      filters.map((filter, n) => textComparison(filter, alias, `:text${n}`)).join(' AND ') || 'true',
    parameters: Object.fromEntries(filters.map(({ value }, n) => [`text${n}`, value])),
  };
}

function textComparison({ fields, operator }: TextFilter, alias: string, parameter: string): string {
  const comparisons = fields.map((field) => fieldComparison(field, operator, alias, parameter));
  return comparisons.length === 1 ? comparisons.join() : `(${comparisons.join(' OR ')})`;
}

function fieldComparison(
  column: AlertColumn,
  operator: TextFilter['operator'],
  alias: string,
  parameter: string,
): string {
  // A subquery is evaluated once per statement. A generic plan evaluates a function of a parameter for each row.
  const value = `(SELECT ${lowerCase(`${parameter}::text`)})`;
  const text = lowerCase(`${alias}.${column}`);
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

/** Returns a text in lower case, independent of the server's locale. */
export function lowerCase(text: string): string {
  return `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
}
