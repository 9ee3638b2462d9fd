import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  Database,
  type Logger,
  type Metrics,
  type Readiness,
} from '@gpu-observatory/service-runtime/process';
import { registerFeedMetrics, RevocationFeed } from '@gpu-observatory/token-verification';
import { parsePosition, readRevocations } from './revocations.queries.ts';

/**
 * Follows the revocation table of this service, as the other services follow the internal endpoint, so that all of them
 * apply revocations alike.
 */
@Injectable()
export class LocalRevocationFeed extends RevocationFeed implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(database: Database, process: { logger: Logger; readiness: Readiness; metrics: Metrics }) {
    super(
      ({ since, after }, timeoutMs) =>
        readRevocations(
          database,
          {
            since: since === null ? null : new Date(since),
            after: after === null ? null : parsePosition(after),
            compact: true,
          },
          timeoutMs,
        ),
      { onError: (error) => process.logger.warn({ err: error }, 'cannot read the revocations') },
    );
    process.readiness.register(
      'revocations',
      () => this.unavailableReason,
      () => this.freshness,
    );
    registerFeedMetrics(this, (name, description, value) => process.metrics.gauge(name, description, value));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
