import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import { DependencyUnavailable, DomainError, type ErrorKind } from '../errors/domain-error.ts';

export interface RateLimitsOptions<Action extends string> {
  schema: string;
  /** Requests per minute, per network or per user. */
  perMinute: Readonly<Record<Action, number>>;
  /** False in a local stack. */
  enabled: boolean;
  errorKind: ErrorKind;
  /** Instead of a minute; for tests. */
  windowSeconds?: number;
}

/** Rate limits of a service by action. All replicas share the counters in the service's database. */
export class RateLimits<Action extends string = string> {
  private readonly limiters: ReadonlyMap<string, RateLimiterPostgres>;

  constructor(
    database: Database,
    private readonly options: RateLimitsOptions<Action>,
  ) {
    // The limiter needs only this method of a pg client.
    const storeClient = {
      query: async (statement: { name?: string; text: string; values?: unknown[] }) => {
        const rows = await database.query(statement);
        return { rows, rowCount: rows.length };
      },
    };
    this.limiters = new Map(
      Object.entries<number>(options.perMinute).map(([action, points], index) => [
        action,
        new RateLimiterPostgres({
          storeClient,
          storeType: 'client',
          schemaName: options.schema,
          tableName: 'rate_limits',
          tableCreated: true,
          keyPrefix: action,
          points,
          duration: options.windowSeconds ?? 60,
          // Deletes the expired counters of all actions.
          clearExpiredByTimeout: index === 0,
          // A key over its limit causes no more writes until the window ends.
          inMemoryBlockOnConsumed: points + 1,
        }),
      ]),
    );
  }

  /**
   * Counts one request, before any expensive work, and sets `RateLimit-Limit`, `-Remaining` and `-Reset` on the response. With
   * several limits, the headers describe the one with the fewest remaining requests.
   *
   * @param subject network or user, of any length; only its hash is stored
   * @throws {DomainError} 429 with `Retry-After` when the limit is exceeded
   * @throws {DependencyUnavailable} when the request cannot be counted; it must not pass uncounted
   */
  async count(action: Action, subject: string, reply: FastifyReply): Promise<void> {
    const limiter = this.limiters.get(action);
    if (!limiter) throw new Error(`There is no rate limit for ${action}.`);
    if (!this.options.enabled) return;
    let state: RateLimiterRes;
    try {
      state = await limiter.consume(createHash('sha256').update(subject).digest('base64url'));
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) {
        throw rejection instanceof DependencyUnavailable
          ? rejection
          : new DependencyUnavailable('the rate limit store', rejection);
      }
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      throw new DomainError(this.options.errorKind, `Too many requests; retry in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds), ...headersOf(limiter, rejection) },
      });
    }
    const fewestRemaining = Number(reply.getHeader('ratelimit-remaining') ?? Infinity);
    if (state.remainingPoints <= fewestRemaining) void reply.headers(headersOf(limiter, state));
  }
}

function headersOf({ points }: RateLimiterPostgres, state: RateLimiterRes): Record<string, string> {
  return {
    'ratelimit-limit': String(points),
    'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
    'ratelimit-reset': String(Math.max(0, Math.ceil(state.msBeforeNext / 1000))),
  };
}
