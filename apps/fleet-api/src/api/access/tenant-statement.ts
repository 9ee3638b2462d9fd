import { hash } from 'node:crypto';
import type { AccessScope } from './access-scope.ts';

/** Parameters of every statement: the rows of one customer that the caller may read. */
export interface ScopeParameters {
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

  /** Returns the values in the order of the text. Parameters that the text does not have are ignored. */
  values(scope: AccessScope, parameters: Parameters): unknown[] {
    const all = { ...parameters, ...scopeParameters(scope) } as Record<string, unknown>;
    return this.parameters.map((name) => {
      const value = all[name];
      if (value === undefined) throw new Error(`The parameter :${name} has no value: ${this.text}`);
      return value;
    });
  }
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
export const RANGES = ['customer', 'workspaces', 'key'] as const;
export type Range = (typeof RANGES)[number];

export function rangeOf({ workspaceIds, apiKeyId }: AccessScope): Range {
  if (apiKeyId !== undefined) return 'key';
  return workspaceIds === 'all' ? 'customer' : 'workspaces';
}

const IN_LISTED_WORKSPACES = (alias: string) =>
  `coalesce(${alias}.workspace_id, 0) = ANY (:workspaces::integer[])`;
const IN_WORKSPACES = (alias: string) => `(:workspaces::integer[] IS NULL OR ${IN_LISTED_WORKSPACES(alias)})`;

/**
 * Returns the predicate for the rows in scope of a table with workspaces and API keys. No index serves the workspaces: pages of
 * listed workspaces have one index range for each instead.
 *
 * @param range omitted where one statement serves all
 */
export function inScope(alias: string, range?: Range): string {
  const customer = `${alias}.customer_id = :customer`;
  switch (range) {
    case 'customer':
      return customer;
    case 'workspaces':
      return `${customer} AND ${IN_LISTED_WORKSPACES(alias)}`;
    case 'key':
      return `${customer} AND ${alias}.api_key_id = :apiKey AND ${IN_WORKSPACES(alias)}`;
    default:
      return `${customer} AND ${IN_WORKSPACES(alias)} AND (:apiKey::integer IS NULL OR ${alias}.api_key_id = :apiKey)`;
  }
}

/** Returns an object with a value for each range. */
export function byRange<Value>(valueOf: (range: Range) => Value): Record<Range, Value> {
  return { customer: valueOf('customer'), workspaces: valueOf('workspaces'), key: valueOf('key') };
}
