import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountEnvelope } from '@gpu-observatory/error-envelopes';
import { createApplication, type Runtime } from '@gpu-observatory/service-runtime';
import type { Clock } from '../clock/clock.ts';
import type { AccountConfig } from '../config/account.config.ts';
import { InternalModule } from './internal.module.ts';

/**
 * The port for our other services and the telemetry platform: an application of its own on an address of its own, so
 * that no mistake in a route or an ingress shows it to the public.
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

  /** Where it listens; of use with port 0. */
  async url(): Promise<string> {
    if (!this.application) throw new Error('the internal server does not listen yet');
    return this.application.getUrl();
  }

  async onModuleDestroy(): Promise<void> {
    await this.application?.close();
  }
}
