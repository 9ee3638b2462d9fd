import { ALERT_COLUMNS } from './alert-columns.ts';
import type { AlertRelation, ScannedTable } from './alert-scans.sql.ts';
import { hasSelectedValues, hasSelectedValuesOfKey } from './filters/alert-predicate.ts';

/** The rows `r` of alerts, or of their past states, that the filters of a request select. */
export interface ScannedRows extends ScannedTable {
  where: string;
}

/** Returns the current alerts. */
export function currentRows(alerts: AlertRelation): ScannedRows {
  const hasValues = alerts.range === 'apiKey' ? hasSelectedValuesOfKey('r') : hasSelectedValues('r');
  return { ...alerts, where: `${hasValues} AND ${alerts.textPredicate('r')}` };
}

/** Maximum number of changed states that are read at once. Above it, past states are scanned in page order. */
const MAX_CHANGES = 4_000;

/**
 * The past states that ended after the first page was read, by `alert_past_states_by_end`: a scan in the order of the page would
 * skip most past states of a day one by one.
 */
const CHANGES = `changes AS MATERIALIZED (
    SELECT ${[...ALERT_COLUMNS, 'since_seq', 'until_seq'].map((column) => `p.${column}`).join(', ')}
    FROM fleet.alert_past_states p
    WHERE p.customer_id = :customer AND p.until_seq > :seq::bigint ORDER BY p.until_seq LIMIT ${MAX_CHANGES}
  )`;
const ARE_ALL_CHANGES = `(SELECT count(*) < ${MAX_CHANGES} FROM changes)`;

/** Returns the WITH clause of a statement of `rowsAsOf`. */
export function withChanges({ withSql }: AlertRelation): string {
  return withSql === '' ? `WITH ${CHANGES}` : `${withSql}, ${CHANGES}`;
}

/**
 * Returns the alerts as of a data version: those that have not changed since, and the past states of those that have. Each alert is
 * in one of the three.
 */
export function rowsAsOf(alerts: AlertRelation): ScannedRows[] {
  const notIndexed = { range: alerts.range, hasWorkspaceIndex: false };
  const current = currentRows(alerts);
  const pastState = `${hasSelectedValues('r')} AND ${alerts.pastTextPredicate('r')}
    AND r.seq <= :seq::bigint AND r.since_seq <= :seq::bigint AND r.until_seq > :seq::bigint`;
  return [
    { ...current, where: `${current.where} AND r.seq <= :seq::bigint AND r.state_seq <= :seq::bigint` },
    { ...notIndexed, table: 'changes', where: `${ARE_ALL_CHANGES} AND ${pastState}` },
    { ...notIndexed, table: 'fleet.alert_past_states', where: `NOT ${ARE_ALL_CHANGES} AND ${pastState}` },
  ];
}
