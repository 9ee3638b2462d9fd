import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Logger, type Metrics, type Readiness } from '@gpu-observatory/service-runtime';
import { RevocationFeed } from '@gpu-observatory/token-verification';
import { readRevocations } from './revocations.queries.ts';

/**
 * Follows the revocation table of this service, as the other services follow the internal endpoint, so that all of them
 * apply revocations alike.
 */
@Injectable()
export class LocalRevocationFeed extends RevocationFeed implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(database: Database, process: { logger: Logger; readiness: Readiness; metrics: Metrics }) {
    super(
      (since) => readRevocations(database, since === null ? null : new Date(since)),
      (failure) => process.logger.warn({ err: failure }, 'reading the revocations failed'),
    );
    process.readiness.register('revocations', () => this.unavailableReason);
    process.metrics.gauge(
      'revocation_feed_age_seconds',
      'Seconds since the revocations were last read.',
      () => Math.min(this.ageSeconds, Number.MAX_SAFE_INTEGER),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
