import type { FastifyReply } from 'fastify';
import type { Database } from '../database/database.ts';
import type { ErrorKind } from '../errors/domain-error.ts';
import { RateLimit } from './rate-limit.ts';

export interface RateLimitsOptions<Action extends string> {
  schema: string;
  /** Requests per minute, per network or per user. */
  perMinute: Readonly<Record<Action, number>>;
  /** False in a local stack. */
  enabled: boolean;
  errorKind: ErrorKind;
}

/** Rate limits of a service by action, shared by its replicas. Count a request before any expensive work. */
export class RateLimits<Action extends string = string> {
  private readonly limits: ReadonlyMap<string, RateLimit>;

  constructor(database: Database, { perMinute, ...options }: RateLimitsOptions<Action>) {
    this.limits = new Map(
      Object.entries<number>(perMinute).map(([name, points]) => [
        name,
        new RateLimit(database, { ...options, name, points, windowSeconds: 60 }),
      ]),
    );
  }

  /**
   * @param subject network or user
   * @throws {DomainError} 429 with `Retry-After`
   */
  async count(action: Action, subject: string, reply: FastifyReply): Promise<void> {
    const limit = this.limits.get(action);
    if (!limit) throw new Error(`There is no rate limit for ${action}.`);
    await limit.consume(subject, reply);
  }
}
