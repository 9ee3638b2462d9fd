import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:tls';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApplication, Runtime } from '@gpu-observatory/service-runtime';
import { accountEnvelope } from '@gpu-observatory/service-runtime/process';
import { AccountConfig } from '../config/account.config.ts';
import type { TlsFiles } from '../config/internal.config.ts';
import { InternalModule } from './internal.module.ts';

const CERTIFICATE_CHECK_INTERVAL_MS = 1_000;

const readCertificate = ({ certFile, keyFile }: TlsFiles) => ({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
});

/**
 * Serves the internal API for the other services and the telemetry platform. It is a separate application on a separate
 * port, so that no mistake in a route or an ingress exposes it.
 */
@Injectable()
export class InternalServer implements OnApplicationBootstrap, OnModuleDestroy {
  private application: NestFastifyApplication | undefined;
  private stopFollowing = (): void => undefined;

  constructor(
    private readonly config: AccountConfig,
    private readonly runtime: Runtime,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { service, internal } = this.config;
    this.application = await createApplication({
      module: InternalModule.with(this.config, this.runtime),
      envelope: accountEnvelope,
      config: { trustedProxies: [], allowedOrigins: [], compressesResponses: false },
      ...this.runtime,
      ...(internal.tls && { tls: readCertificate(internal.tls) }),
    });
    if (internal.tls) this.followCertificate(internal.tls);
    await this.application.listen(internal.port, service.host);
  }

  /** Returns the URL it listens on, for tests with port 0. */
  async url(): Promise<string> {
    if (!this.application) throw new Error('the internal server is not listening yet');
    return this.application.getUrl();
  }

  /** Uses a renewed certificate for new connections. */
  private followCertificate(files: TlsFiles): void {
    const server = this.application?.getHttpServer() as unknown as Server;
    const reload = () => {
      try {
        server.setSecureContext(readCertificate(files));
        this.runtime.logger.info('reloaded the certificate of the internal port');
      } catch (failure) {
        this.runtime.logger.error(
          { err: failure },
          'the renewed certificate of the internal port is not usable',
        );
      }
    };
    watchFile(files.certFile, { interval: CERTIFICATE_CHECK_INTERVAL_MS, persistent: false }, reload);
    this.stopFollowing = () => unwatchFile(files.certFile, reload);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopFollowing();
    await this.application?.close();
  }
}
