import { SCOPE_KIND } from '../../model/metrics/rollup-scope.ts';
import { RANGES, type Range } from './access-scope.ts';

/** Returns the predicate for a listed workspace. @param workspace expression of the id; 0 for no workspace */
const isListedSql = (workspace: string) => `${workspace} = ANY (:workspaces::integer[])`;

/** Returns the predicate for a workspace in scope: a listed one or, without a list, any. @param workspace as for `isListedSql` */
export const isReadableSql = (workspace: string) =>
  `(:workspaces::integer[] IS NULL OR ${isListedSql(workspace)})`;

/**
 * Returns the predicate for the rows in scope of a table with workspaces and API keys. No index serves the predicate on workspaces:
 * where that matters, `scansOf` reads an index range for each.
 *
 * @param range omitted for a statement that serves all ranges
 */
export function inScopeSql(alias: string, range?: Range): string {
  const customer = `${alias}.customer_id = :customer`;
  const workspace = `coalesce(${alias}.workspace_id, 0)`;
  switch (range) {
    case 'customer':
      return customer;
    case 'workspaces':
      return `${customer} AND ${isListedSql(workspace)}`;
    case 'apiKey':
      return `${customer} AND ${alias}.api_key_id = :apiKey AND ${isReadableSql(workspace)}`;
    default:
      return `${customer} AND ${isReadableSql(workspace)} AND (:apiKey::integer IS NULL OR ${alias}.api_key_id = :apiKey)`;
  }
}

/**
 * Returns the predicate for the rows of a rollup that add up to a scope: those of the customer, of each listed workspace, or of an API
 * key in each workspace. In rollups, 0 stands for no workspace or no API key.
 */
export function inRollupScopeSql(alias: string, range: Range): string {
  const rows = {
    customer: `${SCOPE_KIND.customer} AND ${alias}.api_key_id = 0 AND ${alias}.workspace_id = 0`,
    workspaces: `${SCOPE_KIND.workspace} AND ${alias}.api_key_id = 0 AND ${isListedSql(`${alias}.workspace_id`)}`,
    apiKey: `${SCOPE_KIND.apiKey} AND ${alias}.api_key_id = :apiKey AND ${isReadableSql(`${alias}.workspace_id`)}`,
  };
  return `${alias}.customer_id = :customer AND ${alias}.scope_kind = ${rows[range]}`;
}

/**
 * Returns queries of the rows in scope of a table with an index by customer and workspace. Each listed workspace is an index
 * range, and so are the rows without a workspace.
 *
 * @param queryOf returns a query of the rows that satisfy a predicate
 */
export function scansOf(alias: string, range: Range, queryOf: (predicate: string) => string): string[] {
  if (range !== 'workspaces') return [queryOf(inScopeSql(alias, range))];
  const queryOfCustomer = (predicate: string) => queryOf(`${alias}.customer_id = :customer AND ${predicate}`);
  return [
    `SELECT of_workspace.* FROM unnest(:workspaces::integer[]) AS w (id)
     CROSS JOIN LATERAL (${queryOfCustomer(`${alias}.workspace_id = w.id`)}) AS of_workspace`,
    queryOfCustomer(`${alias}.workspace_id IS NULL AND 0 = ANY (:workspaces::integer[])`),
  ];
}

/** Returns a query that concatenates the rows of queries. */
export function unionAll(queries: readonly string[]): string {
  return queries.map((query) => `(${query})`).join(' UNION ALL ');
}

/** Returns an object with a value for each range. */
export function byRange<Value>(valueOf: (range: Range) => Value): Record<Range, Value> {
  return Object.fromEntries(RANGES.map((range) => [range, valueOf(range)])) as Record<Range, Value>;
}
