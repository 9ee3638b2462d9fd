import { inScope, type Range, scansOf } from '../access/tenant-statement.ts';

/** A table of alerts, or a relation with its columns. */
export interface AlertTable {
  /** As the FROM clause names it. */
  table: string;
  /** Whether an index starts with the workspace, so that each workspace of a scope is an index range. */
  hasWorkspaceIndex: boolean;
}

/** Alerts that a statement reads: all of them, or a relation of those that match text filters. */
export interface AlertRelation extends AlertTable {
  /** The definition that the statement starts with; empty for `fleet.alerts`. */
  withSql: string;
  /** Returns the predicate of the text filters on the rows `alias`; `true` where they match already. */
  matches(alias: string): string;
}

export const ALL_ALERTS: AlertRelation = {
  table: 'fleet.alerts',
  hasWorkspaceIndex: true,
  withSql: '',
  matches: () => 'true',
};

/**
 * Returns queries of the alerts in scope, to concatenate: one, or, for the workspaces of a scope and a table with their index, one
 * of the listed workspaces and one of the alerts without a workspace. For `fleet.alerts` and the alias `a`, `queryOf` receives
 *
 *     customer     FROM fleet.alerts a WHERE a.customer_id = :customer
 *     workspaces   FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id = w.id
 *                  FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id IS NULL AND …
 *
 * @param queryOf returns a query; receives its FROM and WHERE clause, to which it may add conditions
 */
export function alertScans(
  { table, hasWorkspaceIndex }: AlertTable,
  alias: string,
  range: Range,
  queryOf: (fromWhere: string) => string,
): string[] {
  const queryOfRows = (where: string) => queryOf(`FROM ${table} ${alias} WHERE ${where}`);
  return hasWorkspaceIndex ? scansOf(alias, range, queryOfRows) : [queryOfRows(inScope(alias, range))];
}
