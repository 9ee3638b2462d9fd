import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountEnvelope } from '@gpu-observatory/error-envelopes';
import { createApplication, type Runtime } from '@gpu-observatory/service-runtime';
import type { Clock } from '../clock/clock.ts';
import type { AccountConfig } from '../config/account.config.ts';
import { InternalModule } from './internal.module.ts';

/**
 * Serves the internal API for the other services and the telemetry platform. It is a separate application on a separate
 * port, so that no mistake in a route or an ingress exposes it.
 */
@Injectable()
export class InternalServer implements OnApplicationBootstrap, OnModuleDestroy {
  private application: NestFastifyApplication | undefined;

  constructor(
    private readonly config: AccountConfig,
    private readonly runtime: Runtime,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { service, internal } = this.config;
    this.application = await createApplication({
      module: InternalModule.compose(internal.credential, this.runtime.database, this.clock),
      envelope: accountEnvelope,
      config: { trustedProxies: [], allowedOrigins: [] },
      logger: this.runtime.logger,
      readiness: this.runtime.readiness,
      metrics: this.runtime.metrics,
    });
    await this.application.listen(internal.port, service.host);
  }

  /** Returns the URL it listens on, for tests with port 0. */
  async url(): Promise<string> {
    if (!this.application) throw new Error('the internal server is not listening yet');
    return this.application.getUrl();
  }

  async onModuleDestroy(): Promise<void> {
    await this.application?.close();
  }
}
