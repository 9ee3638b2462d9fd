import { ALERT_COLUMNS } from './alert-columns.ts';
import type { AlertRelation, ScannedTable } from './alert-scans.sql.ts';
import { selectedValuesSql, selectedValuesOfKeySql } from './filters/alert-predicate.ts';

/** Rows `r` of a table of alerts or past states that the filters of a request select. */
export interface ScannedRows extends ScannedTable {
  /** Predicate on the rows in scope. */
  where: string;
}

/** Returns the current alerts. */
export function currentRows(alerts: AlertRelation): ScannedRows {
  const valuesSql = alerts.range === 'apiKey' ? selectedValuesOfKeySql('r') : selectedValuesSql('r');
  return { ...alerts, where: `${valuesSql} AND ${alerts.textPredicate('r')}` };
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
 * Returns the alerts as of a data version: those that have not changed since, and the past states of those that have, from one of
 * two tables. Each alert is in only one of the three relations.
 */
export function rowsAsOf(alerts: AlertRelation): ScannedRows[] {
  const notIndexed = { range: alerts.range, hasWorkspaceIndex: false };
  const current = currentRows(alerts);
  const pastState = `${selectedValuesSql('r')} AND ${alerts.pastTextPredicate('r')}
    AND r.seq <= :seq::bigint AND r.since_seq <= :seq::bigint AND r.until_seq > :seq::bigint`;
  return [
    { ...current, where: `${current.where} AND r.seq <= :seq::bigint AND r.state_seq <= :seq::bigint` },
    { ...notIndexed, table: 'changes', where: `${HAS_ALL_CHANGES} AND ${pastState}` },
    { ...notIndexed, table: 'fleet.alert_past_states', where: `NOT ${HAS_ALL_CHANGES} AND ${pastState}` },
  ];
}
