import { ALERT_COLUMNS } from '../../model/alerts/alert-columns.ts';
import type { Range } from '../access/access-scope.ts';
import { byRange, inScopeSql, scansOf } from '../access/scope.sql.ts';
import { SELECTED_VALUES, SELECTED_VALUES_OF_KEY } from './filters/alert-predicate.ts';

/** Rows `a` of a table or common table expression that a statement scans: alerts, or past states of alerts. */
export interface ScannedRows {
  /** Name in the FROM clause. */
  table: string;
  /** Whether an index starts with customer and workspace, so that each workspace in scope is an index range. */
  hasWorkspaceIndex: boolean;
  /** How the scope selects rows (`RANGES`): all of the customer, those of listed workspaces, or those of an API key. */
  range: Range;
  /** Predicate on the rows in scope. */
  where: string;
}

/**
 * The relation that a statement reads alerts from: `fleet.alerts`, or the alerts that the word index finds. `where` is the predicate of
 * the text filters; `true` where all rows match.
 */
export interface AlertRelation extends ScannedRows {
  /** WITH clause that defines the relation; empty for `fleet.alerts`. */
  withSql: string;
  /** Predicate of the text filters on past states of alerts, the rows `a` of `fleet.alert_past_states`. */
  pastWhere: string;
}

export const ALL_ALERTS = byRange((range): AlertRelation => ({
  table: 'fleet.alerts',
  hasWorkspaceIndex: true,
  range,
  where: 'true',
  withSql: '',
  pastWhere: 'true',
}));

/**
 * Returns queries that together read the rows in scope: two if the scope lists workspaces and the table has an index on them,
 * otherwise one. For `fleet.alerts`, `queryOf` receives
 *
 *     customer     FROM fleet.alerts a WHERE a.customer_id = :customer AND (where)
 *     workspaces   FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id = w.id AND (where)
 *                  FROM fleet.alerts a WHERE a.customer_id = :customer AND a.workspace_id IS NULL AND … AND (where)
 *     apiKey       FROM fleet.alerts a WHERE a.customer_id = :customer AND a.api_key_id = :apiKey AND … AND (where)
 *
 * `w` is the list of workspaces. `scansOf` joins the query to each of them laterally.
 *
 * @param queryOf receives a FROM and a WHERE clause, to which it may add conditions; returns a query with them
 */
export function alertScans(
  { table, hasWorkspaceIndex, range, where }: ScannedRows,
  queryOf: (fromWhere: string) => string,
): string[] {
  const queryOfScope = (scope: string) => queryOf(`FROM ${table} a WHERE ${scope} AND ${where}`);
  return hasWorkspaceIndex ? scansOf('a', range, queryOfScope) : [queryOfScope(inScopeSql('a', range))];
}

/** Returns the current alerts that the filters of a request select. */
export function currentRows(alerts: AlertRelation): ScannedRows {
  const valuesSql = alerts.range === 'apiKey' ? SELECTED_VALUES_OF_KEY : SELECTED_VALUES;
  return { ...alerts, where: `${valuesSql} AND ${alerts.where}` };
}

/** Number of past states in `CHANGES` from which they are scanned in the order of the page instead. */
const MAX_CHANGES = 4_000;

/**
 * Common table expression `changes`: the past states that ended after the first page was read, by `alert_past_states_by_end`. A scan in
 * the order of the page would skip most past states of a day one by one.
 */
const CHANGES = `changes AS MATERIALIZED (
    SELECT ${[...ALERT_COLUMNS, 'since_seq', 'until_seq'].map((column) => `p.${column}`).join(', ')}
    FROM fleet.alert_past_states p
    WHERE p.customer_id = :customer AND p.until_seq > :seq::bigint ORDER BY p.until_seq LIMIT ${MAX_CHANGES}
  )`;
/** Predicate: `changes` contains all of these past states. */
const HAS_ALL_CHANGES = `(SELECT count(*) < ${MAX_CHANGES} FROM changes)`;

/** Returns the WITH clause that the rows of `rowsAsOf` need. */
export function withChanges({ withSql }: AlertRelation): string {
  return withSql === '' ? `WITH ${CHANGES}` : `${withSql}, ${CHANGES}`;
}

/**
 * Returns the selected alerts as of a data version: those that have not changed since, and the past states of those that have, from one
 * of two tables. Each alert is in only one of the three relations.
 */
export function rowsAsOf(alerts: AlertRelation): ScannedRows[] {
  const notIndexed = { range: alerts.range, hasWorkspaceIndex: false };
  const current = currentRows(alerts);
  const pastState = `${SELECTED_VALUES} AND ${alerts.pastWhere}
    AND a.seq <= :seq::bigint AND a.since_seq <= :seq::bigint AND a.until_seq > :seq::bigint`;
  return [
    { ...current, where: `${current.where} AND a.seq <= :seq::bigint AND a.state_seq <= :seq::bigint` },
    { ...notIndexed, table: 'changes', where: `${HAS_ALL_CHANGES} AND ${pastState}` },
    { ...notIndexed, table: 'fleet.alert_past_states', where: `NOT ${HAS_ALL_CHANGES} AND ${pastState}` },
  ];
}
