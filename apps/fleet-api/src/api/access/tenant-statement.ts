import { hash } from 'node:crypto';
import { ROLLUP_SCOPE } from '../../model/metrics/rollup-scope.ts';
import type { AccessScope } from './access-scope.ts';

/** Parameters of every statement: the rows of one customer that the caller may read. */
interface ScopeParameters {
  customer: number;
  /** Ids, where 0 means rows without a workspace; null for all. */
  workspaces: number[] | null;
  /** Null for rows with any API key, or none. */
  apiKey: number | null;
}

/** A table of the schema and its alias, or the next word where it has none. */
const TABLES = /\bfleet\.(\w+)(?:\s+AS\b)?(?:\s+(\w+))?/gi;
/** A name after one colon. Two are a cast; a time such as 00:00 has no letter. */
const PARAMETERS = /(?<!:):([a-z]\w*)/g;

/**
 * A constant SQL text on the rows of one customer, with named parameters: `:customer`, `:workspaces`, `:apiKey` and those of
 * `Parameters`. A text that names a table without the customer is an error where it is defined.
 */
export class TenantStatement<Parameters extends object = object> {
  /** With `$1`, `$2`, … in place of the names. */
  readonly text: string;
  /** The name under which connections prepare it; undefined for a rare text, and for one that a request determines. */
  readonly name: string | undefined;
  private readonly parameters: readonly string[];

  /** @throws {Error} when a table has no predicate on the customer */
  constructor(sql: string, { isPrepared = true }: { isPrepared?: boolean } = {}) {
    const unscoped = [...sql.matchAll(TABLES)].filter(
      ([, , alias]) => !new RegExp(`\\b${alias}\\.customer_id(?: \\+ 0)? = :customer`).test(sql),
    );
    if (unscoped.length > 0) {
      const tables = unscoped.map(([, table]) => table).join(', ');
      throw new Error(`A statement has no predicate on the customer of ${tables}: ${sql}`);
    }
    this.parameters = [...new Set([...sql.matchAll(PARAMETERS)].map(([, name]) => name as string))];
    this.text = sql.replace(PARAMETERS, (_match, name: string) => `$${this.parameters.indexOf(name) + 1}`);
    this.name = isPrepared ? hash('sha256', this.text, 'base64url').slice(0, 24) : undefined;
  }

  /** Sets the parameters. Those that the text does not have are ignored. */
  with(parameters: Parameters): BoundStatement {
    return { text: this.text, name: this.name, values: (scope) => this.valuesOf(scope, parameters) };
  }

  private valuesOf(scope: AccessScope, parameters: Parameters): unknown[] {
    const all = { ...parameters, ...scopeParameters(scope) } as Record<string, unknown>;
    return this.parameters.map((name) => {
      const value = all[name];
      if (value === undefined) throw new Error(`The parameter :${name} has no value: ${this.text}`);
      return value;
    });
  }
}

/** A statement with its parameters, except for those of the scope. */
export interface BoundStatement {
  readonly text: string;
  readonly name: string | undefined;
  /** Returns the values in the order of the text. */
  values(scope: AccessScope): unknown[];
}

function scopeParameters({ customerId, workspaceIds, apiKeyId }: AccessScope): ScopeParameters {
  return {
    customer: customerId,
    workspaces: workspaceIds === 'all' ? null : workspaceIds.map((id) => id ?? 0),
    apiKey: apiKeyId ?? null,
  };
}

/**
 * The index range of a scope: of all rows of its customer, of each of its workspaces, or of an API key, in all workspaces or in
 * some.
 */
const RANGES = ['customer', 'workspaces', 'key'] as const;
export type Range = (typeof RANGES)[number];

export function rangeOf(scope: AccessScope): Range {
  return scope.apiKeyId === undefined ? workspaceRangeOf(scope) : 'key';
}

/** Returns the range in a table without an index of API keys. */
export function workspaceRangeOf({ workspaceIds }: AccessScope): Exclude<Range, 'key'> {
  return workspaceIds === 'all' ? 'customer' : 'workspaces';
}

/** @param workspace expression with 0 for no workspace */
const isListed = (workspace: string) => `${workspace} = ANY (:workspaces::integer[])`;
/** Returns the predicate for a workspace in scope: a listed one or, without a list, any. @param workspace as for `isListed` */
export const isReadable = (workspace: string) => `(:workspaces::integer[] IS NULL OR ${isListed(workspace)})`;

/**
 * Returns the predicate for the rows in scope of a table with workspaces and API keys. No index serves the workspaces: `scansOf`
 * has an index range for each.
 *
 * @param range omitted where one statement serves all
 */
export function inScope(alias: string, range?: Range): string {
  const customer = `${alias}.customer_id = :customer`;
  const workspace = `coalesce(${alias}.workspace_id, 0)`;
  switch (range) {
    case 'customer':
      return customer;
    case 'workspaces':
      return `${customer} AND ${isListed(workspace)}`;
    case 'key':
      return `${customer} AND ${alias}.api_key_id = :apiKey AND ${isReadable(workspace)}`;
    default:
      return `${customer} AND ${isReadable(workspace)} AND (:apiKey::integer IS NULL OR ${alias}.api_key_id = :apiKey)`;
  }
}

/**
 * Returns the predicate for the rows of a rollup that add up to a scope: those of the customer, of each of its workspaces, or of an
 * API key in each workspace. They have 0 for no workspace.
 */
export function inRollupScope(alias: string, range: Range): string {
  const rows = {
    customer: `${ROLLUP_SCOPE.customer} AND ${alias}.api_key_id = 0 AND ${alias}.workspace_id = 0`,
    workspaces: `${ROLLUP_SCOPE.workspace} AND ${alias}.api_key_id = 0 AND ${isListed(`${alias}.workspace_id`)}`,
    key: `${ROLLUP_SCOPE.apiKey} AND ${alias}.api_key_id = :apiKey AND ${isReadable(`${alias}.workspace_id`)}`,
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
  if (range !== 'workspaces') return [queryOf(inScope(alias, range))];
  const ofCustomer = (predicate: string) => queryOf(`${alias}.customer_id = :customer AND ${predicate}`);
  return [
    `SELECT of_workspace.* FROM unnest(:workspaces::integer[]) AS w (id)
     CROSS JOIN LATERAL (${ofCustomer(`${alias}.workspace_id = w.id`)}) AS of_workspace`,
    ofCustomer(`${alias}.workspace_id IS NULL AND 0 = ANY (:workspaces::integer[])`),
  ];
}

/** Concatenates the rows of queries. */
export function unionAll(queries: readonly string[]): string {
  return queries.map((query) => `(${query})`).join(' UNION ALL ');
}

/** Returns an object with a value for each range. */
export function byRange<Value>(valueOf: (range: Range) => Value): Record<Range, Value> {
  return Object.fromEntries(RANGES.map((range) => [range, valueOf(range)])) as Record<Range, Value>;
}
