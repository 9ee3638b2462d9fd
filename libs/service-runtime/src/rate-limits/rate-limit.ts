import { createHash } from 'node:crypto';
import { DependencyUnavailable, DomainError, type ErrorKind } from '@gpu-observatory/error-envelopes';
import type { FastifyReply } from 'fastify';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../database/database.ts';

/**
 * The table that replicas count in, for a service's own migration. Its runtime role needs SELECT, INSERT, UPDATE and
 * DELETE on it. Unlogged: counts may be lost in a crash of the database, and are written at each limited request.
 */
export const rateLimitTableSql = (schema: string): string =>
  `CREATE UNLOGGED TABLE ${schema}.rate_limits (
     key varchar(255) PRIMARY KEY,
     points integer NOT NULL DEFAULT 0,
     expire bigint
   )`;

const SWEEP_EVERY_MS = 10 * 60_000;

export interface RateLimitOptions {
  /** Names what is limited, such as `sign-in`. */
  name: string;
  schema: string;
  /** How many within the window. */
  points: number;
  windowSeconds: number;
  /** A local stack runs without limits. */
  enabled: boolean;
  errorKind: ErrorKind;
}

/**
 * At most so many of one thing a window for each key (an address, a user), counted in the service's database so that
 * all replicas share it. Consume before the expensive work.
 */
export class RateLimit {
  private readonly limiter: RateLimiterPostgres;
  private sweepAtMs = 0;

  constructor(
    private readonly database: Database,
    private readonly options: RateLimitOptions,
  ) {
    this.limiter = new RateLimiterPostgres({
      storeClient: {
        // The limiter speaks to anything with `query({name, text, values})` and a result of `{rows}`.
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
      // Who is over the limit anyway costs no more writes until the window ends.
      inMemoryBlockOnConsumed: options.points + 1,
    });
  }

  /**
   * Counts one, and writes `RateLimit-Limit`, `-Remaining` and `-Reset` on the answer; of several limits, those of the
   * one that is nearest.
   *
   * @param key what is counted, of any length; only a hash of it is stored
   * @throws {DomainError} the limit's own kind (429) with `Retry-After` when there were too many
   * @throws {DependencyUnavailable} when the count cannot be kept: an attacker must not gain by it
   */
  async consume(key: string, reply: FastifyReply): Promise<void> {
    if (!this.options.enabled) return;
    let state: RateLimiterRes;
    try {
      state = await this.limiter.consume(createHash('sha256').update(key).digest('base64url'));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) {
        throw refusal instanceof DependencyUnavailable
          ? refusal
          : new DependencyUnavailable('the rate limits', refusal);
      }
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new DomainError(this.options.errorKind, `Too many requests; retry in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds), ...this.headers(refusal) },
      });
    }
    const nearest = Number(reply.getHeader('ratelimit-remaining') ?? Infinity);
    if (state.remainingPoints <= nearest) void reply.headers(this.headers(state));
    this.sweepNowAndThen();
  }

  /** Counts of windows long past would otherwise stay for every address ever seen. */
  private sweepNowAndThen(): void {
    const now = Date.now();
    if (now < this.sweepAtMs) return;
    this.sweepAtMs = now + SWEEP_EVERY_MS;
    const text = `DELETE FROM ${this.options.schema}.rate_limits WHERE expire < $1`;
    this.database.query({ text, values: [now - SWEEP_EVERY_MS] }).catch(() => undefined); // the next one will
  }

  private headers(state: RateLimiterRes): Record<string, string> {
    return {
      'ratelimit-limit': String(this.options.points),
      'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
      'ratelimit-reset': String(Math.max(0, Math.ceil(state.msBeforeNext / 1000))),
    };
  }
}
