import { hash } from 'node:crypto';
import type { AccessScope } from './access-scope.ts';

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

/** Returns the parameters of every statement: the rows of one customer that the caller may read. */
function scopeParameters({ customerId, workspaceIds, apiKeyId }: AccessScope) {
  return {
    customer: customerId,
    // 0 stands for rows without a workspace, null for all.
    workspaces: workspaceIds === 'all' ? null : workspaceIds.map((id) => id ?? 0),
    // Null stands for rows with any API key, or none.
    apiKey: apiKeyId ?? null,
  };
}
