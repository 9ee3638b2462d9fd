import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';
import { DependencyUnavailable, DomainError, type ErrorKind } from '../errors/domain-error.ts';

/**
 * Returns the DDL of the counter table, for a service's migration. The runtime role needs SELECT, INSERT, UPDATE and DELETE.
 * Unlogged, because every limited request writes a counter, and losing counters in a database crash is acceptable.
 */
export const rateLimitTableSql = (schema: string): string =>
  `CREATE UNLOGGED TABLE ${schema}.rate_limits (
     key varchar(255) PRIMARY KEY,
     points integer NOT NULL DEFAULT 0,
     expire bigint
   )`;

const CLEAN_UP_INTERVAL_MS = 10 * 60_000;

export interface RateLimitOptions {
  /** Key prefix of the counters, such as `sign-in`. */
  name: string;
  schema: string;
  /** Number of requests per window. */
  points: number;
  windowSeconds: number;
  /** False in a local stack. */
  enabled: boolean;
  errorKind: ErrorKind;
}

/**
 * Limits the number of requests per key (a network, a user) and time window. All replicas share the counters in the service's
 * database. Call `consume` before expensive work.
 */
export class RateLimit {
  private readonly limiter: RateLimiterPostgres;
  private nextCleanUpMs = 0;

  constructor(
    private readonly database: Database,
    private readonly options: RateLimitOptions,
  ) {
    this.limiter = new RateLimiterPostgres({
      storeClient: {
        // The limiter needs only this method of a pg client.
        query: async (statement: { name?: string; text: string; values?: unknown[] }) => {
          const rows = await database.query(statement);
          return { rows, rowCount: rows.length };
        },
      },
      storeType: 'client',
      schemaName: options.schema,
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: options.name,
      points: options.points,
      duration: options.windowSeconds,
      // A key over its limit causes no more writes until the window ends.
      inMemoryBlockOnConsumed: options.points + 1,
    });
  }

  /**
   * Counts one request and sets `RateLimit-Limit`, `-Remaining` and `-Reset` on the response. With several limits, the headers
   * describe the one with the fewest remaining requests.
   *
   * @param key of any length; only its hash is stored
   * @throws {DomainError} 429 with `Retry-After` when the limit is exceeded
   * @throws {DependencyUnavailable} when the request cannot be counted; it must not pass uncounted
   */
  async consume(key: string, reply: FastifyReply): Promise<void> {
    if (!this.options.enabled) return;
    let state: RateLimiterRes;
    try {
      state = await this.limiter.consume(createHash('sha256').update(key).digest('base64url'));
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) {
        throw rejection instanceof DependencyUnavailable
          ? rejection
          : new DependencyUnavailable('the rate limit store', rejection);
      }
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
      throw new DomainError(this.options.errorKind, `Too many requests; retry in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds), ...this.headers(rejection) },
      });
    }
    const fewestRemaining = Number(reply.getHeader('ratelimit-remaining') ?? Infinity);
    if (state.remainingPoints <= fewestRemaining) void reply.headers(this.headers(state));
    this.deleteExpiredCounters();
  }

  /** Deletes counters of past windows, at most once per interval. */
  private deleteExpiredCounters(): void {
    const now = Date.now();
    if (now < this.nextCleanUpMs) return;
    this.nextCleanUpMs = now + CLEAN_UP_INTERVAL_MS;
    const text = `DELETE FROM ${this.options.schema}.rate_limits WHERE expire < $1`;
    this.database.query({ text, values: [now - CLEAN_UP_INTERVAL_MS] }).catch(() => undefined); // the next clean-up retries
  }

  private headers(state: RateLimiterRes): Record<string, string> {
    return {
      'ratelimit-limit': String(this.options.points),
      'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
      'ratelimit-reset': String(Math.max(0, Math.ceil(state.msBeforeNext / 1000))),
    };
  }
}
