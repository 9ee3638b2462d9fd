import { Inject, Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { Database, DEFAULT_TIMEOUT_MS, StatementTimeout } from '@gpu-observatory/service-runtime/process';
import { FleetConfig } from '../../config/fleet.config.ts';
import { ConcurrencyLimiter } from '../../model/concurrency-limiter.ts';
import { type AccessScope, accessScopes, type ScopeFilter } from './access-scope.ts';
import { type ReadCost, ReadLimiter } from './read-limiter.ts';
import type { BoundStatement } from './tenant-statement.ts';

export interface ReadOptions extends ReadCost {
  /** Narrows the access. */
  filter?: ScopeFilter;
  /** Whether each statement takes less than a millisecond. Such statements share connections, where they delay each other. */
  isQuick?: boolean;
}

/** Sends the statements of a read that concern one customer. */
export interface CustomerReader {
  readonly scope: AccessScope;
  query<Row extends object>(statement: BoundStatement): Promise<Row[]>;
}

/** Returns the rows of one statement per customer, in the order of the customers. */
export async function queryEach<Row extends object>(
  customers: readonly CustomerReader[],
  statementOf: (scope: AccessScope) => BoundStatement,
): Promise<Row[]> {
  return (await Promise.all(customers.map(({ scope, query }) => query<Row>(statementOf(scope))))).flat();
}

/** Maximum number of concurrent statements of one read, a fraction of the pool. */
const CONCURRENT_STATEMENTS = 4;

/**
 * The only way to tenant data. Each read needs the caller's access, and each statement is limited to the rows of one customer. An
 * access without scopes returns no rows and sends no statement. See docs/fleet-api.md#access.
 *
 * A read of several customers sends one statement for each, and its caller merges their rows. So each statement has one index range,
 * and runs on one node of Citus. See docs/decisions/tenant-data.md.
 */
@Injectable()
export class TenantDatabase {
  constructor(
    @Inject(Database) private readonly database: Pick<Database, 'query'>,
    private readonly limiter: ReadLimiter,
    @Inject(FleetConfig) private readonly config: Pick<FleetConfig, 'slowReadTimeoutMs'>,
  ) {}

  /** Size of the documents at which a page ends early, in bytes. */
  get pageBytes(): number {
    return this.limiter.limits.pageBytes;
  }

  /**
   * Returns the rows of one statement per customer.
   *
   * @throws as `read`
   */
  async query<Row extends object>(
    access: Access,
    statementOf: (scope: AccessScope) => BoundStatement,
    options: ReadOptions = {},
  ): Promise<Row[]> {
    return this.read(access, options, (customers) => queryEach<Row>(customers, statementOf));
  }

  /**
   * Reads with several statements, which count as one read and share its time limit.
   *
   * @param work receives one reader per customer; none for an access without scopes
   * @throws {DependencyUnavailable} when the database does not respond in time
   * @throws {DomainError} `too_many_requests` when a customer in scope exceeds its concurrency limit
   */
  async read<Result>(
    access: Access,
    options: ReadOptions,
    work: (customers: readonly CustomerReader[]) => Promise<Result>,
  ): Promise<Result> {
    const scopes = accessScopes(access, options.filter);
    if (scopes.length === 0) return work([]);
    const customerIds = scopes.map(({ customerId }) => customerId);
    return this.limiter.run(customerIds, options, () => work(this.readersOf(scopes, options)));
  }

  /** Returns a reader per customer. Slow statements run one after the other, so that the read takes one connection. */
  private readersOf(
    scopes: readonly AccessScope[],
    { isSlow = false, isQuick = false }: ReadOptions,
  ): CustomerReader[] {
    const deadline = performance.now() + (isSlow ? this.config.slowReadTimeoutMs : DEFAULT_TIMEOUT_MS);
    const limiter = new ConcurrencyLimiter(isSlow ? 1 : CONCURRENT_STATEMENTS);
    return scopes.map((scope) => ({
      scope,
      query: <Row extends object>({ name, text, values }: BoundStatement) =>
        limiter.run(() => {
          const timeoutMs = deadline - performance.now();
          if (timeoutMs <= 0) throw new StatementTimeout();
          return this.database.query<Row>({
            name,
            text,
            values: values(scope),
            timeoutMs,
            // Planning an unprepared statement takes longer than a quick read.
            isQuickRead: isQuick && name !== undefined,
          });
        }),
    }));
  }
}
