import { accountErrors } from '@gpu-observatory/error-envelopes';
import { type Database, networkOf, RateLimit } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** How many a minute from one network (an office signs in from one address, a guesser needs millions) or one user. */
const PER_MINUTE = {
  'sign-in': 60,
  callback: 60,
  token: 60,
  refresh: 300,
  password: 20,
  'key write': 120,
} as const;

export type LimitedAction = keyof typeof PER_MINUTE;

/** The limits of this service, shared by its replicas. Count before the expensive work. */
export class RateLimits {
  private readonly limits: Record<LimitedAction, RateLimit>;

  constructor(database: Database, enabled: boolean) {
    const limit = (name: LimitedAction) =>
      new RateLimit(database, {
        name,
        schema: 'account',
        points: PER_MINUTE[name],
        windowSeconds: 60,
        enabled,
        errorKind: accountErrors.tooManyRequests,
      });
    this.limits = {
      'sign-in': limit('sign-in'),
      callback: limit('callback'),
      token: limit('token'),
      refresh: limit('refresh'),
      password: limit('password'),
      'key write': limit('key write'),
    };
  }

  /**
   * @param key who is counted; the request's network unless given
   * @throws {DomainError} 429 Too Many Requests, with `Retry-After`
   */
  async count(
    action: LimitedAction,
    request: FastifyRequest,
    reply: FastifyReply,
    key = networkOf(request.ip),
  ): Promise<void> {
    await this.limits[action].consume(key, reply);
  }
}
