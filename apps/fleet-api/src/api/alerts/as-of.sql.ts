import type { AccessScope } from '../access/access-scope.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';
import type { DataVersion } from '../data-version/data-version.ts';
import { ALERT_COLUMNS } from './alert-columns.ts';
import type { Predicate } from './filters/alert-predicate.ts';
import { indexRanges } from './order/index-ranges.ts';
import type { Source } from './order/page-order.ts';
import { foundOrAll, type Relation } from './text/text-search.ts';

/**
 * Returns the sources of the alerts as of a data version, and the relations that they need: alerts that have not changed
 * since, and the past states of those that have. No alert is in two sources.
 *
 * @param found alerts that were found by their words, one relation per scope; empty to read all
 */
export function sourcesAsOf(
  statement: ScopedStatement,
  matches: Predicate,
  { seqs }: DataVersion,
  found: readonly Relation[],
): { relations: Relation[]; sources: Source[] } {
  const seqOf = new Map(seqs.map(([customerId, seq = 0]) => [customerId, seq]));
  const relations = [...found];
  const sources = statement.scopes.flatMap((scope, n): Source[] => {
    const seq = `${statement.value(seqOf.get(scope.customerId) ?? 0)}::bigint`;
    const changes = changesSince(statement, scope, seq, `changes_${n}`);
    const rowsOf = (range: AccessScope) =>
      `${statement.rowsOf(range, 'r')} AND ${matches('r')} AND r.seq <= ${seq}`;
    relations.push(changes);
    const current = foundOrAll(scope, found[n]).map(({ table, range }) => ({
      table,
      where: `${rowsOf(range)} AND r.state_seq <= ${seq}`,
    }));
    const past = indexRanges(scope).flatMap((range) => {
      const pastStates = `${rowsOf(range)} AND r.since_seq <= ${seq} AND r.until_seq > ${seq}`;
      return [
        { table: changes.name, where: `${changes.isComplete} AND ${pastStates}` },
        { table: 'fleet.alert_past_states', where: `NOT ${changes.isComplete} AND ${pastStates}` },
      ];
    });
    return [...current, ...past];
  });
  return { relations, sources };
}

/**
 * Maximum number of changed states per customer that are read at once. Above it, past states are scanned in page order.
 */
const CHANGES_THRESHOLD = 4_000;

/** A relation of the past states of one customer that ended after the first page was read. */
interface Changes extends Relation {
  /** Expression for whether the relation contains all of them. */
  isComplete: string;
}

/**
 * Selects past states by the end of their validity. A scan in the order of the page would skip them one by one, as most
 * past states of a day ended before the first page was read.
 */
function changesSince(statement: ScopedStatement, scope: AccessScope, seq: string, name: string): Changes {
  const columns = [...ALERT_COLUMNS, 'since_seq', 'until_seq'].map((column) => `p.${column}`).join(', ');
  return {
    name,
    sql: `${name} AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alert_past_states p
      WHERE ${statement.customer('p')} AND p.until_seq > ${seq} ORDER BY p.until_seq LIMIT ${CHANGES_THRESHOLD}
    )`,
    isComplete: `(SELECT count(*) < ${CHANGES_THRESHOLD} FROM ${name})`,
  };
}
