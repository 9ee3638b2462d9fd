import type { AlertColumn } from '../alert-columns.ts';
import { STORED_VALUES, type ValueField } from '../order/alert-sorts.ts';
import type { TextFilter } from './alert-filters.ts';
import type { AlertSelection } from './alert-selection.ts';

/** Values of the filters on severity, type and state; null for any. */
export interface MemberParameters {
  severities: number[] | null;
  types: string[] | null;
  states: number[] | null;
}

export function memberParameters({ severity, type, state }: AlertSelection): MemberParameters {
  return { severities: severity, types: type, states: state };
}

/** Columns of the filters on severity, type and state, with the lists of their values. */
const MEMBERS: readonly (readonly [column: ValueField, list: string, type: string])[] = [
  ['severity', ':severities::smallint[]', 'smallint[]'],
  ['type', ':types::text[]', 'text[]'],
  ['state', ':states::smallint[]', 'smallint[]'],
];

/**
 * Returns the predicate of the filters on severity, type and state. Without a list, the comparison is null, which is not false.
 * No index can serve it: an index that starts with one of these columns would have rows in the order of time too, and without
 * statistics, as in a new partition, PostgreSQL prefers it to the index of the scan when it is smaller.
 */
export function isSelectedMember(alias: string): string {
  return MEMBERS.map(([column, list]) => `(${alias}.${column} = ANY (${list})) IS NOT FALSE`).join(' AND ');
}

/**
 * Returns the same predicate for a scan of the alerts of an API key, which `alerts_of_key` serves: it ends with these columns, so the
 * scan skips other values without reading rows. It is in the order of time, which no index that starts with them has for several values.
 */
export function isSelectedMemberOfKey(alias: string): string {
  return MEMBERS.map(([column, list, type]) => {
    const all = `'{${STORED_VALUES[column].join(',')}}'::${type}`;
    return `${alias}.${column} = ANY (coalesce(${list}, ${all}))`;
  }).join(' AND ');
}

/** The text filters of a request, which are the only conditions that depend on it. */
export interface TextConditions {
  /** Returns the predicate on the columns of the table `alias`. */
  matches(alias: string): string;
  /** By name, without the colon. */
  parameters: Record<string, string>;
}

/**
 * Compares texts in lower case (of all scripts, by ICU) and by code point. No operator interprets the value as a
 * pattern. A null hostname contains and equals no value.
 */
export function textConditions(filters: readonly TextFilter[]): TextConditions {
  return {
    matches: (alias) =>
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
