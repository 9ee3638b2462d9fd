import type { ScopedStatement } from '../access/tenant-database.ts';

/** The data that a response was built from. It stays the same until the next import for one of the caller's customers. */
export interface DataVersion {
  /** The sequence number of each customer's last import, by customer id. */
  seqs: [customerId: number, seq: number][];
  /** Time of the newest of these imports, in ms since the epoch; null when there was none. */
  asOfMs: number | null;
}

export type DataVersionRow = [customerId: number, seq: number, importedAtMs: number];

/** Returns a subselect of the `DataVersionRow[]` in scope as one JSON array, from the same snapshot as the statement. */
export function dataVersionsSql(statement: ScopedStatement): string {
  return `SELECT coalesce(json_agg(json_build_array(p.customer_id, p.seq, (extract(epoch FROM p.imported_at) * 1000)::bigint)
      ORDER BY p.customer_id), '[]')
    FROM fleet.data_versions p WHERE ${statement.customers('p')}`;
}

/**
 * Returns a statement with the columns of `select` and `data_versions`. Without rows in `select`, it has one row with nulls, so
 * that the versions of all customers in scope are known.
 */
export function withDataVersionsSql(statement: ScopedStatement, select: string): string {
  return `SELECT versions.data_versions, found.*
    FROM (SELECT (${dataVersionsSql(statement)}) AS data_versions) AS versions LEFT JOIN (${select}) AS found ON true`;
}

/** Returns the data version of rows that were read from one snapshot per customer. */
export function dataVersionOf(rows: readonly { data_versions: DataVersionRow[] }[]): DataVersion {
  const byCustomer = new Map(
    rows.flatMap(({ data_versions }) => data_versions.map((version) => [version[0], version] as const)),
  );
  return toDataVersion([...byCustomer.values()].sort(([a], [b]) => a - b));
}

/** Returns the data version of the responses of several customers. */
export function dataVersionOfSeveral(versions: readonly DataVersion[]): DataVersion {
  const times = versions.flatMap(({ asOfMs }) => asOfMs ?? []);
  const seqs = new Map(versions.flatMap((version) => version.seqs));
  return {
    seqs: [...seqs].sort(([a], [b]) => a - b),
    asOfMs: times.length === 0 ? null : Math.max(...times),
  };
}

export function toDataVersion(rows: DataVersionRow[]): DataVersion {
  return {
    seqs: rows.map(([customerId, seq]) => [customerId, seq]),
    asOfMs: rows.length === 0 ? null : Math.max(...rows.map(([, , importedAtMs]) => importedAtMs)),
  };
}
