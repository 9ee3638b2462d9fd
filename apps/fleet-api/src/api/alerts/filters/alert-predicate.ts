import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { TextFilter } from './alert-filters.ts';
import type { AlertSelection } from './alert-selection.ts';
import { BEGIN_MS, END_MS } from './time-window.ts';

/** SQL over the columns that alerts, their past states and their counts share, for a table's alias. */
export type Predicate = (alias: string) => string;

/** Which rows the query is about, by everything but the scope: of alerts and of their past states alike. */
export function alertPredicate(statement: ScopedStatement, selection: AlertSelection): Predicate {
  return every([
    windowPredicate(statement, selection),
    memberPredicate(statement, selection),
    textPredicate(statement, selection),
  ]);
}

/** What counts cannot tell: rows are read from the moment on that a query asks for it. */
export function textPredicate(statement: ScopedStatement, { texts }: AlertSelection): Predicate {
  return every(texts.map((filter) => textComparison(filter, statement.value(filter.value))));
}

/** Severity, type and state. */
export function memberPredicate(
  statement: ScopedStatement,
  { severity, type, state }: AlertSelection,
): Predicate {
  const member = (column: string, values: unknown[] | null, sqlType: string): Predicate[] => {
    if (values === null) return [];
    const listed = `ANY (${statement.value(values)}::${sqlType}[])`;
    return [(alias) => `${alias}.${column} = ${listed}`];
  };
  return every([
    ...member('severity', severity, 'smallint'),
    ...member('type', type, 'text'),
    ...member('state', state, 'smallint'),
  ]);
}

/**
 * Both ends or none: each form is prepared. An open window must not look like one: the planner takes any two ends for a
 * narrow window, and would rather sort what lies in it than read an index in the order that is asked for.
 */
function windowPredicate(statement: ScopedStatement, { window }: AlertSelection): Predicate {
  if (window.fromMs === BEGIN_MS && window.toMs === END_MS) return every([]);
  const from = `${statement.value(new Date(window.fromMs))}::timestamptz`;
  const to = `${statement.value(new Date(window.toMs))}::timestamptz`;
  return (alias) => `${alias}.created_at >= ${from} AND ${alias}.created_at < ${to}`;
}

/**
 * Texts are compared in lower case, of all scripts and not only ASCII's, and code point by code point: no operator has a
 * pattern, so nothing in a value stands for anything but itself. A null hostname holds no text: it differs from each.
 */
function textComparison({ field, operator }: TextFilter, parameter: string): Predicate {
  const value = lowerCase(`${parameter}::text`);
  return (alias) => {
    const text = lowerCase(`${alias}.${field}`);
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

function lowerCase(text: string): string {
  return `(lower(${text} COLLATE "und-x-icu") COLLATE "C")`;
}

export function every(predicates: Predicate[]): Predicate {
  return (alias) => predicates.map((predicate) => predicate(alias)).join(' AND ') || 'true';
}
