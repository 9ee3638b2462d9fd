import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Logger, type Metrics, type Readiness } from '@gpu-observatory/service-runtime';
import { RevocationFeed } from '@gpu-observatory/token-verification';
import { readRevocations } from './revocations.queries.ts';

/** This service follows its own table the way the others follow the internal port, so that both answer alike. */
@Injectable()
export class OwnRevocationFeed extends RevocationFeed implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(database: Database, process: { logger: Logger; readiness: Readiness; metrics: Metrics }) {
    super(
      (since) => readRevocations(database, since === null ? null : new Date(since)),
      (failure) => process.logger.warn({ err: failure }, 'the revocations could not be read'),
    );
    process.readiness.register('revocations', () => this.unavailableReason);
    process.metrics.gauge('revocation_feed_age_seconds', 'How old the known revocations are.', () =>
      Math.min(this.ageSeconds, Number.MAX_SAFE_INTEGER),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
