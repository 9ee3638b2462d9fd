import { hash } from 'node:crypto';
import type { Access } from '@gpu-observatory/domain-types';
import {
  ConcurrencyLimiter,
  type Database,
  DEFAULT_TIMEOUT_MS,
  MAX_PREPARED_STATEMENTS,
  type Statement,
} from '@gpu-observatory/service-runtime/process';
import { SLOW_READ_TIMEOUT_MS } from '../../config/read-limits.config.ts';
import { type AccessScope, accessScopes, type ScopeFilter } from './access-scope.ts';
import type { ReadCost, ReadLimiter } from './read-limiter.ts';

/** A table of the schema and its alias, or the next word where it has none. */
const TABLES = /\bfleet\.(\w+)(?:\s+AS\b)?(?:\s+(\w+))?/gi;

/** Collects the parameters of one statement and builds the predicates that restrict it to the caller's rows of one customer. */
export class ScopedStatement {
  readonly values: unknown[] = [];
  private readonly predicates: { alias: string; sql: string }[] = [];

  /** @param isPart whether further statements read other customers, and the caller merges the rows */
  constructor(
    readonly scope: AccessScope,
    readonly isPart = false,
  ) {}

  get scopes(): readonly AccessScope[] {
    return [this.scope];
  }

  /**
   * Returns the tables in the text without a predicate on the customer for their alias. It does not compare workspaces, nor
   * tell apart tables with the same alias.
   */
  unscopedTables(text: string): string[] {
    const aliases = new Set(
      this.predicates.filter(({ sql }) => text.includes(sql)).map(({ alias }) => alias),
    );
    return [...text.matchAll(TABLES)]
      .filter(([, , alias = '']) => !aliases.has(alias))
      .map(([, table = '']) => table);
  }

  /** Adds a parameter and returns its placeholder: `$1`, `$2`, … */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Returns the predicate for the rows in scope in the table `alias`. */
  rows(alias: string): string {
    return this.rowsOf(this.scope, alias);
  }

  /** Returns the predicate for the rows of a part of the scope in the table `alias`. */
  rowsOf(scope: AccessScope, alias: string): string {
    const rows = `${this.customer(alias)}${this.workspacesOf(scope, alias)}`;
    return scope.apiKeyId === undefined
      ? rows
      : `${rows} AND ${alias}.api_key_id = ${this.value(scope.apiKeyId)}`;
  }

  /**
   * Returns the predicate for the customer in the table `alias`: of a table without workspaces, of a rollup, which encodes workspace
   * and API key in its own columns, or of rows that belong to one in scope.
   */
  customer(alias: string): string {
    return this.predicate(alias, `${alias}.customer_id = ${this.value(this.scope.customerId)}`);
  }

  private predicate(alias: string, sql: string): string {
    this.predicates.push({ alias, sql });
    return sql;
  }

  private workspacesOf({ workspaceIds }: AccessScope, alias: string): string {
    if (workspaceIds === 'all') return '';
    const [first, ...others] = workspaceIds;
    if (others.length === 0) {
      return ` AND ${first === null ? `${alias}.workspace_id IS NULL` : `${alias}.workspace_id = ${this.value(first)}`}`;
    }
    const listed = `${alias}.workspace_id = ANY (${this.value(workspaceIds.filter((id) => id !== null))}::integer[])`;
    return workspaceIds.includes(null)
      ? ` AND (${alias}.workspace_id IS NULL OR ${listed})`
      : ` AND ${listed}`;
  }
}

export interface TenantQueryOptions extends ReadCost {
  /** Narrows the access. */
  filter?: ScopeFilter;
  /** Whether the statement takes less than a millisecond, so that it may delay others on a shared connection. */
  isQuick?: boolean;
  /**
   * Whether the statement may be prepared, by default true. False where the request determines its text: its variants would
   * take the place of frequent statements. Statements with a filter on a workspace or an API key never are.
   */
  prepared?: boolean;
}

/** Returns the statement's text; null when there is nothing to read in its scopes. */
type BuildStatement = (statement: ScopedStatement) => string | null;

/** The rows of one customer, of which a read sends one statement or several. */
export interface ReadPart {
  query<Row extends object>(build: BuildStatement): Promise<Row[]>;
}

/** Maximum number of concurrent statements of one read, a fraction of the pool. */
const CONCURRENT_STATEMENTS = 4;

/**
 * The only access to tenant data. Each query receives the caller's access, and a statement with a table that has no predicate of
 * the caller's customers is rejected. Tests prove the workspaces, see docs/decisions/tenant-data.md#proofs. An access without
 * scopes returns no rows and sends no query. See docs/fleet-api.md#access.
 *
 * A read is one statement per customer, and its caller merges their rows: each statement has one index range, and runs on one
 * node of Citus (docs/decisions/citus.md).
 */
export class TenantDatabase {
  /** Names of statements by their text. A lookup takes less time than the hash. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly limiter: ReadLimiter,
    private readonly slowTimeoutMs = SLOW_READ_TIMEOUT_MS,
  ) {}

  /** Length of the documents from which a page ends early, in bytes. */
  get pageBytes(): number {
    return this.limiter.limits.pageBytes;
  }

  /**
   * Returns the rows of one statement per customer.
   *
   * @param build called for each statement, with predicates and parameters of the `ScopedStatement`
   * @throws as `read`
   */
  async query<Row extends object>(
    access: Access,
    build: BuildStatement,
    options: TenantQueryOptions = {},
  ): Promise<Row[]> {
    return this.read(access, options, async (parts) =>
      (await Promise.all(parts.map((part) => part.query<Row>(build)))).flat(),
    );
  }

  /**
   * Reads with several statements, which count as one read and share its time limit.
   *
   * @param work receives one part per customer; none for an access without scopes
   * @throws {DependencyUnavailable} when the database does not respond in time
   * @throws {DomainError} `too_many_requests` when a customer in scope exceeds its concurrency limit
   */
  async read<Result>(
    access: Access,
    options: TenantQueryOptions,
    work: (parts: readonly ReadPart[]) => Promise<Result>,
  ): Promise<Result> {
    const { filter = {} } = options;
    const scopes = accessScopes(access, filter);
    if (scopes.length === 0) return work([]);
    const customerIds = scopes.map(({ customerId }) => customerId);
    return this.limiter.run(customerIds, options, () => work(this.partsOf(scopes, options)));
  }

  /** Returns the parts of one read. Slow statements run one after the other, so that the read takes one connection. */
  private partsOf(scopes: readonly AccessScope[], options: TenantQueryOptions): ReadPart[] {
    const { filter = {}, isSlow = false, prepared = true, isQuick = false } = options;
    const mayBePrepared = prepared && filter.workspaceId === undefined && filter.apiKeyId === undefined;
    const deadline = performance.now() + (isSlow ? this.slowTimeoutMs : DEFAULT_TIMEOUT_MS);
    const statements = new ConcurrencyLimiter(isSlow ? 1 : CONCURRENT_STATEMENTS);
    return scopes.map((scope) => ({
      query: async <Row extends object>(build: BuildStatement) => {
        const scoped = new ScopedStatement(scope, scopes.length > 1);
        const statement = this.statementOf(scoped, build, mayBePrepared);
        if (statement === null) return [];
        return statements.run(() =>
          this.database.query<Row>({
            ...statement,
            timeoutMs: Math.max(0, deadline - performance.now()),
            // Planning an unprepared statement takes longer than a quick read.
            isQuickRead: isQuick && mayBePrepared,
          }),
        );
      },
    }));
  }

  /** @throws {Error} when the statement has a table without a predicate of its customers */
  private statementOf(
    statement: ScopedStatement,
    build: BuildStatement,
    prepared: boolean,
  ): Statement | null {
    const text = build(statement);
    if (text === null) return null;
    // Texts with a name were checked before.
    const unscoped = this.names.has(text) ? [] : statement.unscopedTables(text);
    if (unscoped.length > 0)
      throw new Error(`A statement has no predicate of the access scope on ${unscoped.join(', ')}.`);
    const { values } = statement;
    return prepared ? { name: this.nameOf(text), text, values } : { text, values };
  }

  /** Returns the name under which a statement is prepared, derived from its text. */
  private nameOf(text: string): string {
    let name = this.names.get(text);
    if (name === undefined) {
      name = hash('sha256', text, 'base64url').slice(0, 24);
      if (this.names.size >= MAX_PREPARED_STATEMENTS) this.names.clear();
      this.names.set(text, name);
    }
    return name;
  }
}
