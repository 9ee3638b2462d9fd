import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  DependencyUnavailable,
  type Envelope,
  type UnknownPathAnswer,
} from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';
import { ConfigurationError, type Environment } from './config/settings.ts';
import type { ServiceConfig } from './config/service.config.ts';
import { Database } from './database/database.ts';
import { Readiness } from './health/readiness.ts';
import { OperationRefused } from './operations/operation-refused.ts';
import { createApplication } from './http/create-application.ts';
import { createManagementServer } from './http/management-server.ts';
import { createLogger, type Logger } from './logging/logger.ts';
import type { Origins } from './http/other-origins.ts';
import { Metrics } from './metrics/metrics.ts';
import { buildOpenApiDocument, type OpenApiOptions, serveOpenApi } from './openapi/openapi.ts';
import { shutDownGracefully } from './shutdown/shutdown.ts';

/** What every module of a service may ask for: the process around it. */
export interface Runtime {
  logger: Logger;
  readiness: Readiness;
  metrics: Metrics;
  database: Database;
}

/** What tells one service from another. */
export interface ServiceDefinition<Config extends { service: ServiceConfig }> {
  name: string;
  /** @throws {ConfigurationError} naming each variable at fault */
  readConfig(environment: Environment): Config;
  module(config: Config, runtime: Runtime): DynamicModule;
  envelope: Envelope;
  openApi: OpenApiOptions;
  /** May depend on the configuration: where the site is, say. */
  unknownPath?(config: Config): UnknownPathAnswer;
  /** Whose browsers may read the answers; by default the allowed origins'. */
  origins?: Origins;
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
  readiness.register('database', () => database.availability);
  metrics.gauge('database_available', '1 while the database answers.', () =>
    database.availability === null ? 1 : 0,
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
    ...(definition.unknownPath ? { unknownPath: definition.unknownPath(config) } : {}),
    ...(definition.origins ? { origins: definition.origins } : {}),
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
    refuseToStart(definition.name, failure);
  }
}

/** Says why and leaves: what an operator can mend in one line a fault, anything else in full. */
export function refuseToStart(name: string, failure: unknown): never {
  process.stderr.write(`${name} cannot start:\n${reasonOf(failure)}\n`);
  process.exit(1);
}

/** What went wrong, as an operator reads it: in full where nobody foresaw it. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  if (failure instanceof ConfigurationError || failure instanceof OperationRefused) return failure.message;
  if (failure instanceof DependencyUnavailable) {
    return `${failure.message}${failure.cause instanceof Error ? `: ${failure.cause.message}` : ''}`;
  }
  const { code, syscall, port } = failure as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE' && syscall === 'listen') {
    return `port ${port} is in use: stop what listens there, or set PORT or MANAGEMENT_PORT to another one`;
  }
  return failure.stack ?? failure.message;
}
