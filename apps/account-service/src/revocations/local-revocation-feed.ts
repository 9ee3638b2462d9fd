import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { registerFeedMetrics, RevocationFeed } from '@gpu-observatory/token-verification';
import { parsePosition, readRevocations } from './revocations.queries.ts';

/**
 * Follows the revocation table of this service, as the other services follow the internal endpoint, so that all of them
 * apply revocations alike.
 */
@Injectable()
export class LocalRevocationFeed extends RevocationFeed implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(database: Database, { logger, readiness, metrics }: Runtime) {
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
      { onError: (error) => logger.warn({ err: error }, 'cannot read the revocations') },
    );
    readiness.register(
      'revocations',
      () => this.unavailableReason,
      () => this.freshness,
    );
    registerFeedMetrics(this, metrics);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.start();
  }

  onModuleDestroy(): void {
    this.stop();
  }
}
