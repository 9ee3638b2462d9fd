import { hash } from 'node:crypto';
import type { AccessScope } from './access-scope.ts';

/** Matches a table of the schema and its alias. Without an alias, it matches the next word, which then fails the check. */
const TABLES = /\bfleet\.(\w+)(?:\s+AS\b)?(?:\s+(\w+))?/gi;
/** Matches a parameter: a name after one colon. Two colons are a cast; a time such as 00:00 has no letter. */
const PARAMETERS = /(?<!:):([a-z]\w*)/g;

/**
 * A constant SQL text on the rows of one customer, with named parameters: `:customer`, `:workspaces`, `:apiKey` and those of
 * `Parameters`.
 */
export class TenantStatement<Parameters extends object = object> {
  /** SQL text with `$1`, `$2`, … in place of the names. */
  readonly text: string;
  /** Name of the prepared statement; undefined for a statement that is rare, or whose text depends on the request. */
  readonly name: string | undefined;
  private readonly parameters: readonly string[];

  /** @throws {Error} when a table in the text has no predicate on the customer */
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

  /** Returns the statement with its parameters. Parameters that the text does not contain are ignored. */
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
  /** Returns the values of `$1`, `$2`, … for a customer. */
  values(scope: AccessScope): unknown[];
}

/** Returns the parameters of every statement: the rows of one customer that the caller may read. */
function scopeParameters({ customerId, workspaceIds, apiKeyId }: AccessScope) {
  return {
    customer: customerId,
    // 0 stands for rows without a workspace, null for all rows.
    workspaces: workspaceIds === 'all' ? null : workspaceIds.map((id) => id ?? 0),
    // Null stands for all rows, with or without an API key.
    apiKey: apiKeyId ?? null,
  };
}
