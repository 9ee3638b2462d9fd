import type { Access } from '@gpu-observatory/domain-types';
import {
  DATA_VERSION_ROW,
  type DataKind,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  withDataVersionsSql,
} from '../data-version/data-version.ts';
import type { ScopedStatement, TenantDatabase } from './tenant-database.ts';

/** A table with the ids of the rows, and the column by which the row of one of several customers is selected. */
export interface RowIds {
  table: string;
  id: string;
  at: string;
}

/** A customer with the id, or with `at` null, one without it. */
interface Location {
  customer_id: number;
  data_version: DataVersionRow;
  at: Date | null;
}

export interface RowSearch<Row> {
  id: string;
  ids: RowIds;
  /** Returns the statement that reads the row with the id, of the customers in scope. @param at when it is known */
  select(statement: ScopedStatement, at: Date | null): string;
  /** Order of rows of several customers with the same id. The first is returned. */
  compare(a: Row, b: Row): number;
  kinds: readonly DataKind[];
  isQuick?: boolean;
}

type Found<Row> = (Row | { customer_id: null }) & { data_versions: DataVersionRow[] };

/**
 * Reads one row by its id, which two customers may use. On Citus, a statement is planned on two nodes, which takes longer
 * than its execution. Therefore the customers with the id are found first, with one statement on all of them.
 *
 * @returns null when the row does not exist or the caller may not read it
 */
export async function findRow<Row extends { customer_id: number }>(
  tenants: TenantDatabase,
  access: Access,
  search: RowSearch<Row>,
): Promise<(Row & { data: DataVersion }) | null> {
  const { kinds, compare, isQuick = false } = search;
  const read = async (at: Date | null, customerId?: number) =>
    tenants.query<Found<Row>>(
      access,
      (statement) => withDataVersionsSql(statement, search.select(statement, at)),
      { isQuick, ...(customerId === undefined ? {} : { filter: { customerId } }) },
    );
  const existing = (rows: Found<Row>[]) =>
    rows.filter((row): row is Row & { data_versions: DataVersionRow[] } => row.customer_id !== null);
  if (!tenants.isSplit(access)) {
    const rows = await read(null);
    const [first] = existing(rows).sort(compare);
    return first === undefined ? null : { ...first, data: dataVersionOf(rows, kinds) };
  }
  const locations = await locate(tenants, access, search);
  const rows = await Promise.all(
    locations.filter(({ at }) => at !== null).map(({ customer_id, at }) => read(at, customer_id)),
  );
  const [first] = existing(rows.flat()).sort(compare);
  if (first === undefined) return null;
  const versions = locations.map(({ data_version }) => ({ data_versions: [data_version] }));
  return { ...first, data: dataVersionOf([...versions, ...rows.flat()], kinds) };
}

function locate<Row>(
  tenants: TenantDatabase,
  access: Access,
  { id, ids }: RowSearch<Row>,
): Promise<Location[]> {
  return tenants.query<Location>(
    access,
    (statement) => `SELECT p.customer_id, ${DATA_VERSION_ROW} AS data_version, r.${ids.at} AS at
      FROM fleet.data_versions p
      LEFT JOIN ${ids.table} r ON ${statement.customers('r')} AND r.customer_id = p.customer_id AND r.${ids.id} = ${statement.value(id)}
      WHERE ${statement.customers('p')}`,
    { allAtOnce: true },
  );
}
