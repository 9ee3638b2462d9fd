import type { Range } from '../access/access-scope.ts';
import { byRange, inScope, scansOf } from '../access/scope.sql.ts';

/** The rows in scope of a table, or of a common table expression, that a query scans. */
export interface ScannedTable {
  /** As the FROM clause names it. */
  table: string;
  /** Whether an index starts with the workspace, so that each workspace of a scope is an index range. */
  hasWorkspaceIndex: boolean;
  range: Range;
}

/** Alerts in scope that a statement reads: all of them, or those that were found by their words. */
export interface AlertRelation extends ScannedTable {
  /** The definition that the statement starts with; empty for `fleet.alerts`. */
  withSql: string;
  /** Returns the predicate of the text filters on its rows `alias`; `true` where they match already. */
  textPredicate(alias: string): string;
  /** Returns the predicate of the text filters on rows of another table: past states of these alerts. */
  pastTextPredicate(alias: string): string;
}

export const ALL_ALERTS = byRange((range): AlertRelation => ({
  table: 'fleet.alerts',
  hasWorkspaceIndex: true,
  range,
  withSql: '',
  textPredicate: () => 'true',
  pastTextPredicate: () => 'true',
}));

/**
 * Returns one query per index range of the scope: one, or two where the caller lists workspaces. For `fleet.alerts` and the alias
 * `a`, `queryOf` receives
 *
 *     customer     FROM fleet.alerts a WHERE a.customer_id = :customer
 *     workspaces   FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id = w.id
 *                  FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id IS NULL AND …
 *
 * @param queryOf returns a query; receives its FROM and WHERE clause, to which it may add conditions
 */
export function alertScans(
  { table, hasWorkspaceIndex, range }: ScannedTable,
  alias: string,
  queryOf: (fromWhere: string) => string,
): string[] {
  const queryOfRows = (where: string) => queryOf(`FROM ${table} ${alias} WHERE ${where}`);
  return hasWorkspaceIndex ? scansOf(alias, range, queryOfRows) : [queryOfRows(inScope(alias, range))];
}
