import { Injectable } from '@nestjs/common';
import { accountErrors, Database, RateLimit } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply } from 'fastify';
import { AccountConfig } from '../config/account.config.ts';

/**
 * Requests per minute, per network or per user. An office signs in from one address; guessing a secret takes millions
 * of requests.
 */
const PER_MINUTE = {
  'sign-in': 60,
  callback: 60,
  token: 60,
  refresh: 300,
  // Each one adds an entry to the revocation feed.
  logout: 300,
  // Per user, counted when a code is issued.
  session: 20,
  'session end': 60,
  password: 20,
  'key write': 120,
} as const;

export type LimitedAction = keyof typeof PER_MINUTE;

/** Rate limits of this service, shared by its replicas. Count a request before any expensive work. */
@Injectable()
export class RateLimits {
  private readonly limits: Record<LimitedAction, RateLimit>;

  constructor(database: Database, { rateLimits: enabled }: AccountConfig) {
    const limits = Object.entries(PER_MINUTE).map(([name, points]) => [
      name,
      new RateLimit(database, {
        name,
        schema: 'account',
        points,
        windowSeconds: 60,
        enabled,
        errorKind: accountErrors.tooManyRequests,
      }),
    ]);
    this.limits = Object.fromEntries(limits) as Record<LimitedAction, RateLimit>;
  }

  /**
   * @param subject network or user
   * @throws {DomainError} 429 Too Many Requests, with `Retry-After`
   */
  async count(action: LimitedAction, subject: string, reply: FastifyReply): Promise<void> {
    await this.limits[action].consume(subject, reply);
  }
}
