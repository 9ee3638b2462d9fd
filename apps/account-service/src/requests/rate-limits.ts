import type { FactoryProvider } from '@nestjs/common';
import * as runtime from '@gpu-observatory/service-runtime';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { accountErrors, Database } from '@gpu-observatory/service-runtime/process';
import { AccountConfig } from '../config/account.config.ts';

/**
 * Requests per minute: per user on routes that require a token, else per network, unless stated below. An office signs in
 * from one address; guessing a secret takes millions of requests.
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
  // Exchanges of API keys, per network. Counted first, to bound the number of counters of a network that invents keys.
  'client attempt': 6000,
  // Per network and key, per network, and per key when authenticated. A program needs one exchange per 15 min.
  client: 60,
  'client network': 600,
  'client token': 120,
} as const;

export type LimitedAction = keyof typeof PER_MINUTE;

export const RateLimited = (action: LimitedAction) => runtime.RateLimited(action);

export const rateLimits: FactoryProvider<RateLimits<LimitedAction>> = {
  provide: RateLimits,
  inject: [Database, AccountConfig],
  useFactory: (database: Database, { rateLimits: enabled }: AccountConfig) =>
    new RateLimits(database, {
      schema: 'account',
      perMinute: PER_MINUTE,
      enabled,
      errorKind: accountErrors.tooManyRequests,
    }),
};
