import type { FactoryProvider } from '@nestjs/common';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { Database, websiteErrors } from '@gpu-observatory/service-runtime/process';
import { WebsiteConfig } from '../config/website.config.ts';

/** Limits contact requests per client network. */
export const rateLimits: FactoryProvider<RateLimits> = {
  provide: RateLimits,
  inject: [Database, WebsiteConfig],
  useFactory: (database: Database, { contact }: WebsiteConfig) =>
    new RateLimits(database, {
      schema: 'website',
      perMinute: { contact: 30 },
      enabled: contact.rateLimits,
      errorKind: websiteErrors.tooManyRequests,
    }),
};
