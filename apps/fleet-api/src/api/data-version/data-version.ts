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

export function toDataVersion(rows: DataVersionRow[]): DataVersion {
  return {
    seqs: rows.map(([customerId, seq]) => [customerId, seq]),
    asOfMs: rows.length === 0 ? null : Math.max(...rows.map(([, , importedAtMs]) => importedAtMs)),
  };
}
