import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { AlertColumn } from '../alert-columns.ts';
import type { TextFilter } from './alert-filters.ts';
import type { AlertSelection } from './alert-selection.ts';
import { isOpen } from './time-window.ts';

/** Returns a predicate on the columns of a table, for the alias of that table. */
export type Predicate = (alias: string) => string;

/** Returns the predicate of a selection without its scope, for pages of alerts and their past states. */
export function alertPredicate(statement: ScopedStatement, selection: AlertSelection): Predicate {
  return every([
    windowPredicate(statement, selection),
    memberPredicate(statement, selection, isInRangeOfOne),
    textPredicate(statement, selection),
  ]);
}

/** Returns the predicate of the text filters, which counts cannot serve: they are evaluated per row. */
export function textPredicate(statement: ScopedStatement, { texts }: AlertSelection): Predicate {
  return every(texts.map((filter) => textComparison(filter, statement.value(filter.value))));
}

/** Returns the predicate of the filters on severity, type and state. */
export function memberPredicate(
  statement: ScopedStatement,
  { severity, type, state }: AlertSelection,
  isValue: ValueComparison = (column, value) => `${column} = ${value}`,
): Predicate {
  const member = (column: AlertColumn, values: unknown[] | null, sqlType: string): Predicate[] => {
    if (values === null) return [];
    // A single value is a condition of an index on several columns in every release of PostgreSQL.
    if (values.length === 1) {
      const value = `${statement.value(values[0])}::${sqlType}`;
      return [(alias) => isValue(`${alias}.${column}`, value, alias)];
    }
    const listed = `ANY (${statement.value(values)}::${sqlType}[])`;
    return [(alias) => `${alias}.${column} = ${listed}`];
  };
  return every([
    ...member('severity', severity, 'smallint'),
    ...member('type', type, 'text'),
    ...member('state', state, 'smallint'),
  ]);
}

type ValueComparison = (column: string, value: string, alias: string) => string;

/**
 * Compares with one value by two bounds. With an equality, an index that starts with this column would have its rows in the
 * order of time too, and without statistics, as in a new partition, PostgreSQL prefers it to the index of the scan when it is
 * smaller. The upper bound is of a row, because PostgreSQL assumes that two bounds of one column select few rows.
 */
const isInRangeOfOne: ValueComparison = (column, value, alias) =>
  `${column} >= ${value} AND (${column}, ${alias}.created_at) <= (${value}, 'infinity')`;

/**
 * Returns the predicate of the time window; none for an open window. The planner assumes that two bounds make a narrow
 * window, and would sort its rows instead of reading an index in the order of the page.
 */
function windowPredicate(statement: ScopedStatement, { window }: AlertSelection): Predicate {
  if (isOpen(window)) return every([]);
  const from = `${statement.value(new Date(window.fromMs))}::timestamptz`;
  const to = `${statement.value(new Date(window.toMs))}::timestamptz`;
  return (alias) => `${alias}.created_at >= ${from} AND ${alias}.created_at < ${to}`;
}

/**
 * Compares texts in lower case (of all scripts, by ICU) and by code point. No operator interprets the value as a
 * pattern. A null hostname contains and equals no value.
 */
function textComparison({ field, operator }: TextFilter, parameter: string): Predicate {
  // A subquery is evaluated once per statement. A generic plan evaluates a function of a parameter for each row.
  const value = `(SELECT ${lowerCase(`${parameter}::text`)})`;
  return (alias) => {
    const column: AlertColumn = field;
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
  };
}

/** Returns a text in lower case, independent of the server's locale. */
export function lowerCase(text: string): string {
  return `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
}

function every(predicates: Predicate[]): Predicate {
  return (alias) => predicates.map((predicate) => predicate(alias)).join(' AND ') || 'true';
}
