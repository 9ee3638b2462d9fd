import type { Access } from '@gpu-observatory/domain-types';
import {
  type DataKind,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  withDataVersionsSql,
} from '../data-version/data-version.ts';
import type { ScopedStatement, TenantDatabase } from './tenant-database.ts';

export interface RowSearch<Row> {
  /** Returns the statement that reads the row of one customer. */
  select(statement: ScopedStatement): string;
  /** Order of the rows of several customers with the same id. The first is returned. */
  compare(a: Row, b: Row): number;
  kinds: readonly DataKind[];
  isQuick?: boolean;
}

type Found<Row> = (Row | { customer_id: null }) & { data_versions: DataVersionRow[] };

/**
 * Reads one row by its id, which two customers may use.
 *
 * @returns null when the row does not exist or the caller may not read it
 */
export async function findRow<Row extends { customer_id: number }>(
  tenants: TenantDatabase,
  access: Access,
  { select, kinds, compare, isQuick = false }: RowSearch<Row>,
): Promise<(Row & { data: DataVersion }) | null> {
  const rows = await tenants.query<Found<Row>>(
    access,
    (statement) => withDataVersionsSql(statement, select(statement)),
    { isQuick },
  );
  const [first] = rows
    .filter((row): row is Row & { data_versions: DataVersionRow[] } => row.customer_id !== null)
    .sort(compare);
  return first === undefined ? null : { ...first, data: dataVersionOf(rows, kinds) };
}
