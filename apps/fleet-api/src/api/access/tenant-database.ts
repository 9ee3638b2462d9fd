import { hash } from 'node:crypto';
import type { Access } from '@gpu-observatory/domain-types';
import type { Database } from '@gpu-observatory/service-runtime';
import type { ReadTurns } from './read-concurrency-limiter.ts';
import { type Branch, branchesOf, type ScopeFilter } from './access-scope.ts';

/** Builds one statement for one caller: its parameters, and the predicates that keep it to what the caller may see. */
export class ScopedStatement {
  readonly values: unknown[] = [];
  private hasPredicate = false;

  constructor(readonly branches: readonly Branch[]) {}

  /** Whether a predicate was taken: a statement without one is refused. */
  get scoped(): boolean {
    return this.hasPredicate;
  }

  /** A parameter: `$1`, `$2`, … */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** The rows of one branch, in the table that `alias` names. */
  branch(branch: Branch, alias: string): string {
    this.hasPredicate = true;
    const key =
      branch.apiKeyId === undefined ? '' : ` AND ${alias}.api_key_id = ${this.value(branch.apiKeyId)}`;
    return this.workspaces(branch, alias) + key;
  }

  private workspaces(branch: Branch, alias: string): string {
    const customer = `${alias}.customer_id = ${this.value(branch.customerId)}`;
    if (branch.workspaceIds === 'all') return customer;
    const [only, ...others] = branch.workspaceIds;
    if (others.length === 0) {
      return `${customer} AND ${only === null ? `${alias}.workspace_id IS NULL` : `${alias}.workspace_id = ${this.value(only)}`}`;
    }
    const listed = `${alias}.workspace_id = ANY (${this.value(branch.workspaceIds.filter((id) => id !== null))}::integer[])`;
    return branch.workspaceIds.includes(null)
      ? `${customer} AND (${alias}.workspace_id IS NULL OR ${listed})`
      : `${customer} AND ${listed}`;
  }

  /** The rows of all branches, in the table that `alias` names. */
  rows(alias: string): string {
    this.hasPredicate = true;
    return `(${this.branches.map((branch) => `(${this.branch(branch, alias)})`).join(' OR ')})`;
  }

  /** The rows of the customers in scope, in a table that knows no workspaces. */
  customers(alias: string): string {
    this.hasPredicate = true;
    return `${alias}.customer_id = ANY (${this.value(this.branches.map((branch) => branch.customerId))}::integer[])`;
  }

  /**
   * The rows of `fleet.alert_counts` that add up to one branch: a customer's own, those of its listed workspaces and of
   * none, or an API key's. For branches that are counted.
   *
   * @param byType false where types make no difference: counts without them are a fraction of the rows. An API key has
   *   none
   */
  counts({ customerId, workspaceIds, apiKeyId }: Branch, alias: string, byType = true): string {
    this.hasPredicate = true;
    const customer = `${alias}.customer_id = ${this.value(customerId)}`;
    if (apiKeyId !== undefined) {
      return `${customer} AND ${alias}.scope_kind = 2 AND ${alias}.scope_id = ${this.value(apiKeyId)}`;
    }
    if (workspaceIds === 'all')
      return `${customer} AND ${alias}.scope_kind = ${byType ? 0 : 3} AND ${alias}.scope_id = 0`;
    const listed = this.value(workspaceIds.map((id) => id ?? 0));
    return `${customer} AND ${alias}.scope_kind = ${byType ? 1 : 4} AND ${alias}.scope_id = ANY (${listed}::integer[])`;
  }

  /**
   * Whether an API key has alerts in workspaces, or in none, that the branch does not list. Otherwise the key's counts
   * are those of the branch. One value for the whole statement.
   */
  keyIsElsewhere({ customerId, workspaceIds, apiKeyId }: Branch): string {
    const listed = this.value(workspaceIds === 'all' ? [] : workspaceIds.map((id) => id ?? 0));
    return `(SELECT EXISTS (SELECT FROM fleet.api_key_workspaces w WHERE w.customer_id = ${this.value(customerId)}
        AND w.api_key_id = ${this.value(apiKeyId)} AND w.workspace_id <> ALL (${listed}::integer[])))`;
  }

  /**
   * The rows of a metric rollup that add up to one branch: a customer's own, those of its listed workspaces and of none,
   * or an API key's in the workspaces that the caller may see.
   */
  rollups({ customerId, workspaceIds, apiKeyId }: Branch, alias: string): string {
    this.hasPredicate = true;
    const customer = `${alias}.customer_id = ${this.value(customerId)}`;
    if (apiKeyId === undefined && workspaceIds === 'all') {
      return `${customer} AND ${alias}.scope_kind = 0 AND ${alias}.api_key_id = 0 AND ${alias}.workspace_id = 0`;
    }
    const scope = `${alias}.scope_kind = ${apiKeyId === undefined ? 1 : 2} AND ${alias}.api_key_id = ${this.value(apiKeyId ?? 0)}`;
    if (workspaceIds === 'all') return `${customer} AND ${scope}`;
    const listed = this.value(workspaceIds.map((id) => id ?? 0));
    return `${customer} AND ${scope} AND ${alias}.workspace_id = ANY (${listed}::integer[])`;
  }
}

export interface TenantQueryOptions {
  /** Narrows the access. */
  filter?: ScopeFilter;
  /** How long the caller waits; just below 3 s unless given: then it is a slow read, of which each customer has fewer. */
  timeoutMs?: number;
  /** False for statements of so many forms that keeping each prepared would fill the server. */
  prepared?: boolean;
}

/**
 * The one door to tenant data: whoever reads gives the caller's access, and a statement that did not take its predicate
 * from it is refused. For a caller who may see nothing there are no rows, and the database is not asked. Statements are prepared under a name made from their text.
 */
export class TenantDatabase {
  private readonly names = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly turns: ReadTurns,
  ) {}

  /**
   * @param build writes the statement's text with the scope's predicates and parameters
   * @throws {DependencyUnavailable} when the database does not answer in time
   * @throws {DomainError} `too_many_requests` when a customer in scope runs its share already
   */
  async query<Row extends object>(
    access: Access,
    build: (statement: ScopedStatement) => string,
    { filter, timeoutMs, prepared = true }: TenantQueryOptions = {},
  ): Promise<Row[]> {
    const branches = branchesOf(access, filter);
    if (branches.length === 0) return [];
    const statement = new ScopedStatement(branches);
    const text = build(statement);
    if (!statement.scoped) throw new Error('a statement over tenant data must take its rows from the scope');
    const customerIds = branches.map(({ customerId }) => customerId);
    return this.turns.run(customerIds, timeoutMs === undefined ? 'quick' : 'slow', () =>
      this.database.query<Row>({
        ...(prepared ? { name: this.nameOf(text) } : {}),
        text,
        values: statement.values,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    );
  }

  private nameOf(text: string): string {
    let name = this.names.get(text);
    if (name === undefined) {
      name = hash('sha256', text, 'base64url').slice(0, 24);
      this.names.set(text, name);
    }
    return name;
  }
}
