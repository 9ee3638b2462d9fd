import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ErrorEnvelope, UnknownPathHandler } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';
import type { Environment } from './config/settings.ts';
import type { ServiceConfig } from './config/service.config.ts';
import { Database } from './database/database.ts';
import { Readiness } from './health/readiness.ts';
import { errorMessage } from './operations/error-message.ts';
import { createApplication } from './http/create-application.ts';
import { createManagementServer } from './http/management-server.ts';
import { createLogger } from './logging/logger.ts';
import type { CorsOrigins } from './http/cors.ts';
import { Metrics } from './metrics/metrics.ts';
import { buildOpenApiDocument, type OpenApiOptions, serveOpenApi } from './openapi/openapi.ts';
import type { Runtime } from './runtime.ts';
import { shutDownGracefully } from './shutdown/shutdown.ts';

/** What tells one service from another. */
export interface ServiceDefinition<Config extends { service: ServiceConfig }> {
  name: string;
  /** @throws {ConfigurationError} naming each variable at fault */
  readConfig(environment: Environment): Config;
  module(config: Config, runtime: Runtime): DynamicModule;
  envelope: ErrorEnvelope;
  openApi: OpenApiOptions;
  /** May depend on the configuration: where the site is, say. */
  unknownPathHandler?(config: Config): UnknownPathHandler;
  /** Whose browsers may read the answers; by default the allowed origins'. */
  corsOrigins?: CorsOrigins;
  /** Plugins and anything else that needs the application before it listens. */
  extend?(application: NestFastifyApplication, config: Config, runtime: Runtime): Promise<void>;
}

/** A service that listens: its addresses, and the way to end it. */
export interface RunningService {
  application: NestFastifyApplication;
  management: FastifyInstance;
  runtime: Runtime;
  publicUrl: string;
  managementUrl: string;
  close(): Promise<void>;
}

/** Composes a service and makes it listen; tests use this as `main` does. */
export async function runService<Config extends { service: ServiceConfig }>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<RunningService> {
  const { service } = config;
  const logger = createLogger(definition.name, service.logLevel);
  const readiness = new Readiness();
  const metrics = new Metrics(definition.name);
  const database = new Database({ ...service.database, applicationName: definition.name, logger });
  readiness.register('database', () => database.unavailableReason);
  metrics.gauge('database_available', '1 while the database answers.', () =>
    database.unavailableReason === null ? 1 : 0,
  );
  metrics.gauge('database_connections', 'Connections of this process.', () => database.connections.total);
  metrics.gauge(
    'database_waiting',
    'Requests that wait for a connection.',
    () => database.connections.waiting,
  );
  const runtime: Runtime = { logger, readiness, metrics, database };

  const application = await createApplication({
    module: definition.module(config, runtime),
    envelope: definition.envelope,
    config: service,
    logger,
    readiness,
    metrics,
    ...(definition.unknownPathHandler ? { unknownPathHandler: definition.unknownPathHandler(config) } : {}),
    ...(definition.corsOrigins ? { corsOrigins: definition.corsOrigins } : {}),
  });
  await definition.extend?.(application, config, runtime);
  serveOpenApi(application, buildOpenApiDocument(application, definition.openApi));
  const management = createManagementServer(readiness, metrics);
  const close = async () => {
    await application.close();
    await management.close();
    await database.stop();
  };
  try {
    await database.start();
    await management.listen({ host: service.host, port: service.managementPort });
    await application.listen(service.port, service.host);
  } catch (failure) {
    await close();
    throw failure;
  }
  logger.info({ port: service.port, managementPort: service.managementPort }, 'listening');
  return {
    application,
    management,
    runtime,
    publicUrl: await application.getUrl(),
    managementUrl: management.listeningOrigin,
    close,
  };
}

/** The whole of a service's `main.ts`: read the environment, run, stop when told to. */
export async function startService<Config extends { service: ServiceConfig }>(
  definition: ServiceDefinition<Config>,
): Promise<void> {
  try {
    const config = definition.readConfig(process.env);
    const running = await runService(definition, config);
    shutDownGracefully({
      readiness: running.runtime.readiness,
      logger: running.runtime.logger,
      drainSeconds: config.service.drainSeconds,
      close: [() => running.close()],
    });
  } catch (failure) {
    exitWithStartupError(definition.name, failure);
  }
}

/** Says why and leaves: what an operator can mend in one line a fault, anything else in full. */
export function exitWithStartupError(name: string, failure: unknown): never {
  process.stderr.write(`${name} cannot start:\n${errorMessage(failure)}\n`);
  process.exit(1);
}
