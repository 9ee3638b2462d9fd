import { isIPv6 } from 'node:net';
import { DependencyUnavailable, DomainError, type FailureKind } from '@gpu-observatory/error-envelopes';
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

export interface RateLimitOptions {
  /** Names what is limited, such as `sign-in`. */
  name: string;
  schema: string;
  /** How many within the window. */
  points: number;
  windowSeconds: number;
  /** A local stack runs without limits. */
  enabled: boolean;
  tooMany: FailureKind;
}

/**
 * At most so many of one thing a window for each key (an address, a user), counted in the service's database so that
 * all replicas share it. Consume before the expensive work.
 */
export class RateLimit {
  private readonly limiter: RateLimiterPostgres;

  constructor(
    database: Database,
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
    });
  }

  /**
   * Counts one, and writes `RateLimit-Limit`, `-Remaining` and `-Reset` on the answer.
   *
   * @throws {DomainError} the limit's own kind (429) with `Retry-After` when there were too many
   * @throws {DependencyUnavailable} when the count cannot be kept: an attacker must not gain by it
   */
  async consume(key: string, reply: FastifyReply): Promise<void> {
    if (!this.options.enabled) return;
    let state: RateLimiterRes;
    try {
      state = await this.limiter.consume(key);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) {
        throw refusal instanceof DependencyUnavailable
          ? refusal
          : new DependencyUnavailable('the rate limits', refusal);
      }
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new DomainError(this.options.tooMany, `Too many requests; retry in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds), ...this.headers(refusal) },
      });
    }
    void reply.headers(this.headers(state));
  }

  private headers(state: RateLimiterRes): Record<string, string> {
    return {
      'ratelimit-limit': String(this.options.points),
      'ratelimit-remaining': String(Math.max(0, state.remainingPoints)),
      'ratelimit-reset': String(Math.max(0, Math.ceil(state.msBeforeNext / 1000))),
    };
  }
}

/** What an address is limited by: itself, or its /64 for IPv6, since one household or machine has all of that. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
