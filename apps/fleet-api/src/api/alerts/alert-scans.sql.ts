import type { Range } from '../access/access-scope.ts';
import { byRange, inScopeSql, scansOf } from '../access/scope.sql.ts';

/** A table or common table expression that a statement scans. */
export interface ScannedTable {
  /** Name in the FROM clause. */
  table: string;
  /** Whether an index starts with customer and workspace, so that each workspace in scope is an index range. */
  hasWorkspaceIndex: boolean;
  /** How the scope selects rows (`RANGES`): all of the customer, those of listed workspaces, or those of an API key. */
  range: Range;
}

/** The relation that a statement reads alerts from: `fleet.alerts`, or the alerts that the word index finds. */
export interface AlertRelation extends ScannedTable {
  /** WITH clause that defines the relation; empty for `fleet.alerts`. */
  withSql: string;
  /** Returns the predicate of the text filters on rows of the relation; `true` where all of its rows match. */
  textPredicate(alias: string): string;
  /** Returns the predicate of the text filters on past states of alerts, the rows of `fleet.alert_past_states`. */
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
 * Returns queries that together read the rows in scope: two if the scope lists workspaces and the table has an index on them,
 * otherwise one. For `fleet.alerts` and the alias `a`, `queryOf` receives
 *
 *     customer     FROM fleet.alerts a WHERE a.customer_id = :customer
 *     workspaces   FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id = w.id
 *                  FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id IS NULL AND …
 *     apiKey       FROM fleet.alerts a WHERE a.customer_id = :customer AND a.api_key_id = :apiKey AND …
 *
 * `w` is the list of workspaces. `scansOf` joins the query to each of them laterally.
 *
 * @param queryOf receives a FROM and a WHERE clause, to which it may add conditions; returns a query with them
 */
export function alertScans(
  { table, hasWorkspaceIndex, range }: ScannedTable,
  alias: string,
  queryOf: (fromWhere: string) => string,
): string[] {
  const queryOfRows = (where: string) => queryOf(`FROM ${table} ${alias} WHERE ${where}`);
  return hasWorkspaceIndex ? scansOf(alias, range, queryOfRows) : [queryOfRows(inScopeSql(alias, range))];
}
