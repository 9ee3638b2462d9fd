import { inScope, type Range, scansOf } from '../access/tenant-statement.ts';

/** Alerts that a statement reads: all of them, or a relation of those that match text filters. */
export interface AlertRelation {
  /** `fleet.alerts`, or the name of a relation with its columns. */
  table: string;
  /** The definition that the statement starts with; empty for `fleet.alerts`. */
  withSql: string;
  /** Returns the predicate of the text filters on the rows `alias`; `true` where they match already. */
  matches(alias: string): string;
}

export const ALL_ALERTS: AlertRelation = { table: 'fleet.alerts', withSql: '', matches: () => 'true' };

/**
 * Returns queries of the alerts in scope: of `fleet.alerts` one for each of its index ranges, of another relation one.
 *
 * @param scan returns a query; receives its FROM and WHERE clause, to which it adds conditions
 */
export function alertScans(
  table: string,
  alias: string,
  range: Range,
  scan: (from: string) => string,
): string[] {
  const scanOf = (rows: string) => scan(`FROM ${table} ${alias} WHERE ${rows}`);
  return table === ALL_ALERTS.table ? scansOf(alias, range, scanOf) : [scanOf(inScope(alias, range))];
}
