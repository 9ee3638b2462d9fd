import type { FactoryProvider } from '@nestjs/common';
import { Database, RateLimits, websiteErrors } from '@gpu-observatory/service-runtime/process';
import { ContactConfig } from '../config/contact.config.ts';

/** Limits contact requests per client network. */
export const rateLimits: FactoryProvider<RateLimits> = {
  provide: RateLimits,
  inject: [Database, ContactConfig],
  useFactory: (database: Database, { rateLimits: enabled }: ContactConfig) =>
    new RateLimits(database, {
      schema: 'website',
      perMinute: { contact: 30 },
      enabled,
      errorKind: websiteErrors.tooManyRequests,
    }),
};
